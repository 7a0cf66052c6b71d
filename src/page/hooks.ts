/** Hooks and formats that the views share: requests that follow their input, sizes, and numbers for people. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Counts, DirectoryCount } from '../faces/view/api.ts';
import { post, useConnection } from './client.ts';

/** Sends a request whenever the body changes; null sends none. The previous answer stays until the next one arrives. */
export function useRequest<Answer>(name: string, body: object | null) {
  const { round } = useConnection();
  const key = JSON.stringify([name, body, round]);
  const [asked, setAsked] = useState({ key: '', answer: null as Answer | null, problem: null as string | null });
  // The body is left out of the dependencies on purpose: the key stands for it.
  useEffect(() => {
    const outdated = new AbortController();
    const settle = (answer: Answer | null, problem: string | null) => {
      if (!outdated.signal.aborted) setAsked({ key, answer, problem });
    };
    if (body === null) settle(null, null);
    else
      post<Answer>(name, body, outdated.signal).then(
        (answer) => settle(answer, null),
        (error: Error) => settle(null, error.message),
      );
    return () => outdated.abort();
  }, [key]);
  /** True if the answer, if any, is that of an earlier request. */
  const isLoading = body !== null && asked.key !== key;
  return { answer: asked.answer, problem: isLoading ? null : asked.problem, isLoading };
}

/** The most paths in one request. */
const PATHS = 1000;

/** Returns the counts of directories as soon as everything is counted; null for a hidden one, which is not counted. */
export function useCounts(root: number, paths: readonly string[]) {
  const [since, setSince] = useState(0);
  const known = useMemo(() => new Map<string, DirectoryCount | null>(), [since]);
  const missing = paths.filter((path) => !known.has(path)).slice(0, PATHS);
  const { answer, isLoading } = useRequest<Counts>('counts', { root, since, paths: missing });
  if (answer !== null && !isLoading) for (const [path, count] of answer.counts) known.set(path, count);
  return { counts: known, total: answer?.total ?? null, recount: () => setSince(Date.now()) };
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

export function useSize<Kind extends HTMLElement>() {
  const ref = useRef<Kind>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size] as const;
}

const NUMBER = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const grouped = (count: number): string => NUMBER.format(count);

/** `1.2K`: for columns that should stay narrow. */
export const short = (count: number): string => (count < 10_000 ? NUMBER.format(count) : SHORT.format(count));

export const milliseconds = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${grouped(Math.round(ms))} ms`);

export const plural = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Joins a path to the root, unless it is absolute or in quoted form. */
export function absolutePath(root: string, path: string): string {
  return /^["/]/.test(path) ? path : `${root.replace(/\/$/, '')}/${path}`;
}

/** Writes the characters that nobody sees as escapes: they could make a text look like another. */
export function plain(text: string): string {
  const escaped = (one: string) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}
