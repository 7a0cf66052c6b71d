/** The runtime that tests start the built files with: Node, or what scripts/runtimes.js says. */
export const [RUNTIME, ...RUNTIME_OPTIONS] = JSON.parse(
  process.env.AGENT_LS_RUNTIME ?? JSON.stringify([process.execPath]),
) as [string, ...string[]];
