/** The public API of `agent-ls/mcp`. */

export { createServer, type ServerOptions } from './faces/mcp/create-server.ts';
