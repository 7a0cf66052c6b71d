/**
 * The state of the page in its address: `#map?budget=1000` is the map with that budget. Each view has its own
 * parameters, which are kept while another view is shown.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Start } from '../faces/view/api.ts';
import { takeToken } from './client.ts';

export const VIEWS = ['Explore', 'Ask', 'Map', 'Watch'] as const;
export type View = (typeof VIEWS)[number];
type Params = Readonly<Record<string, string>>;

export interface ViewProps {
  /** With its roots as they are now. */
  readonly start: Start;
  /** Of the root that is shown. */
  readonly root: number;
  readonly rootPath: string;
  readonly params: Params;
  set(params: Params): void;
  /** Goes to a view, of another root if one is named. Parameters that are not named keep their values. */
  go(view: View, params?: Params, root?: number): void;
}

interface Address {
  readonly view: View;
  readonly root: number;
  readonly params: Readonly<Record<View, Params>>;
}

const NOTHING = { Explore: {}, Ask: {}, Map: {}, Watch: {} };

/** Milliseconds for which a parameter must be still before it is written: browsers limit how often that may be done. */
const SETTLED = 200;

function parsed(before: Address): Address {
  const [name, query] = location.hash.slice(1).split('?', 2);
  const view = VIEWS.find((one) => one.toLowerCase() === name);
  if (view === undefined) return before;
  const { root = '0', ...params } = Object.fromEntries(new URLSearchParams(query));
  return { view, root: Number(root), params: { ...paramsIn(Number(root), before), [view]: params } };
}

/** The parameters are those of one root, but Watch shows the calls of all. */
function paramsIn(root: number, { root: before, params }: Address): Address['params'] {
  return root === before ? params : { ...NOTHING, Watch: params.Watch };
}

function written({ view, root, params }: Address): string {
  const query = new URLSearchParams({ ...(root === 0 ? {} : { root: String(root) }), ...params[view] }).toString();
  return `#${view.toLowerCase()}${query === '' ? '' : `?${query}`}`;
}

/** Returns the address, and how to go to another one, which the button Back leaves again. */
export function useAddress(first: View) {
  const [address, setAddress] = useState(() => parsed({ view: first, root: 0, params: NOTHING }));
  const timer = useRef(0);
  const current = useRef(address);
  const write = (to: Address, isStep: boolean) => {
    clearTimeout(timer.current);
    // What is not written yet belongs to the step before.
    if (isStep) history.replaceState(null, '', written(current.current));
    current.current = to;
    setAddress(to);
    if (isStep) history.pushState(null, '', written(to));
    else timer.current = setTimeout(() => history.replaceState(null, '', written(to)), SETTLED) as never;
  };
  useEffect(() => {
    const follow = async () => {
      // Somebody opened the address of another server in this tab.
      const isNewToken = await takeToken();
      write(isNewToken ? current.current : parsed(current.current), false);
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);

  const withParams = (view: View, params: Params, root = current.current.root): Address => {
    const before = paramsIn(root, current.current);
    return { view: current.current.view, root, params: { ...before, [view]: { ...before[view], ...params } } };
  };
  const go: ViewProps['go'] = (view, params = {}, root) => write({ ...withParams(view, params, root), view }, true);
  const set = (view: View) => (params: Params) => write(withParams(view, params), false);
  return { ...address, go, set };
}
