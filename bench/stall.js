// The stalls of the event loop that a probe reports, as part of a row.
import { median } from './measure.js';

/** By the instrument that saw the longer one. */
export function longest({ monitor, chain }) {
  return Math.max(monitor, chain);
}

export function stall(reports) {
  const [monitor, chain, took] = ['monitor', 'chain', 'took'].map((name) => median(reports.map((seen) => seen[name])));
  const note = `monitor ${monitor.toFixed(1)}, chain ${chain.toFixed(1)}; took ${Math.round(took)} ms`;
  return { unit: 'ms', ours: reports.map(longest), note, reports };
}
