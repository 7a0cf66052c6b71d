/** Hooks and formats that the views share: requests that follow their input, sizes, and numbers for people. */
import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Counts, DirectoryCount } from '../faces/view/api.ts';
import { post } from './client.ts';

/** Milliseconds to wait after a failed request before the next one. */
export const PAUSE = 2000;

interface Asked<Answer> {
  readonly answer: Answer | null;
  readonly problem: string | null;
  readonly isLoading: boolean;
}

/** Sends a request whenever the body changes; null sends none. The previous answer stays until the next one arrives. */
export function useRequest<Answer>(name: string, body: object | null): Asked<Answer> {
  const [asked, setAsked] = useState<Asked<Answer>>({ answer: null, problem: null, isLoading: body !== null });
  const key = JSON.stringify(body);
  // The body is left out of the dependencies on purpose: the key stands for it.
  useEffect(() => {
    if (body === null) {
      setAsked({ answer: null, problem: null, isLoading: false });
      return;
    }
    const outdated = new AbortController();
    setAsked((before) => ({ ...before, isLoading: true }));
    post<Answer>(name, body, outdated.signal).then(
      (answer) => setAsked({ answer, problem: null, isLoading: false }),
      (error: Error) => {
        if (!outdated.signal.aborted) setAsked({ answer: null, problem: error.message, isLoading: false });
      },
    );
    return () => outdated.abort();
  }, [name, key]);
  return asked;
}

/** Milliseconds between two requests for the progress of the counting. */
const COUNTING = 500;

/** The most paths in one request. */
const PATHS = 1000;

/**
 * Returns the counts of directories as they become known; null for a hidden one, which is not counted. The first
 * request starts the counting; without a root there is none.
 */
export function useCounts(root: number | null, paths: readonly string[] = []) {
  const [counts, setCounts] = useState<ReadonlyMap<string, DirectoryCount | null>>(new Map());
  const [summary, setSummary] = useState<Counts | null>(null);
  const [round, setRound] = useState(0);
  const missing = paths.filter((path) => !counts.has(path)).slice(0, PATHS);
  const isDone = summary?.isDone ?? false;
  const key = `${isDone} ${missing.join('\n')}`;

  // Some dependencies are left out on purpose: the key stands for the missing paths.
  useEffect(() => {
    if (root === null || (isDone && missing.length === 0)) return;
    const outdated = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const answer = await post<Counts>('counts', { root, paths: missing }, outdated.signal);
      setSummary(answer);
      if (!answer.isDone) {
        timer = setTimeout(follow, COUNTING);
        return;
      }
      setCounts((before) => {
        const after = new Map(before);
        for (const [at, path] of missing.entries()) after.set(path, answer.counts[at] ?? null);
        return after;
      });
    };
    const follow = () => {
      ask().catch(() => {
        if (!outdated.signal.aborted) timer = setTimeout(follow, PAUSE);
      });
    };
    follow();
    return () => {
      outdated.abort();
      clearTimeout(timer);
    };
  }, [root, key, round]);

  const recount = useCallback(() => {
    post<Counts>('counts', { root, paths: [], again: true }).then((answer) => {
      setSummary(answer);
      setCounts(new Map());
      setRound((before) => before + 1);
    });
  }, [root]);
  return { counts, summary, isDone, recount };
}

/** Debounces a value: a new one is returned after it has not changed for this long. */
export function useSettled<Value>(value: Value, milliseconds: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** Returns a reference for an element, and its current size. */
export function useSize<Kind extends HTMLElement>(): [RefObject<Kind | null>, { width: number; height: number }] {
  const ref = useRef<Kind>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}

const NUMBER = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const grouped = (count: number): string => NUMBER.format(count);

/** `1.2K`: for columns that should stay narrow. */
export const short = (count: number): string => (count < 10_000 ? NUMBER.format(count) : SHORT.format(count));

export const milliseconds = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${grouped(Math.round(ms))} ms`);

export const plural = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
