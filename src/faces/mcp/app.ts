/**
 * MCP Apps (`io.modelcontextprotocol/ui`, 2026-01-26): a client that supports the extension shows the answers of a tool
 * in a page that the server offers as a resource. The model receives the same text as without it.
 */
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';

const APP = {
  uri: 'ui://agent-ls/app.html',
  name: 'agent-ls',
  title: 'Map and listing',
  description: 'Shows the answers of LS, Tree and Find as a page to explore.',
  mimeType: 'text/html;profile=mcp-app',
};

/** Marks the declaration of a tool whose answers the app shows. */
export function shownByApp<Declaration extends { readonly _meta: object }>(declaration: Declaration): Declaration {
  return { ...declaration, _meta: { ...declaration._meta, ui: { resourceUri: APP.uri } } };
}

/** `page` loads nothing from other sites, so no domain has to be allowed. */
export function offerApp(server: Server, page: string): void {
  server.setRequestHandler('resources/list', () => ({ resources: [APP] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    if (uri !== APP.uri) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such resource. Known: ${APP.uri}.`);
    }
    return { contents: [{ uri, mimeType: APP.mimeType, text: page }] };
  });
}
