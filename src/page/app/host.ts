/**
 * Talks to the client that shows the app, with the messages of MCP Apps (2026-01-26): JSON-RPC to the parent window.
 * The extension's SDK does the same, but takes half a megabyte.
 */

const PROTOCOL_VERSION = '2026-01-26';

export interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
}

type HostContext = { readonly theme?: string } | undefined;

export type Input = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Input;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export class Host {
  readonly #waiting = new Map<number, (reply: Message) => void>();
  readonly #onResult: (input: Input, result: ToolResult) => void;
  #input: Input = {};
  #count = 0;

  /** `onResult` learns what the model asked for, and what it got. */
  constructor(onResult: (input: Input, result: ToolResult) => void) {
    this.#onResult = onResult;
    addEventListener('message', ({ source, data }) => {
      // Accept messages from the client only.
      if (source === parent) this.#take(data);
    });
  }

  async connect(): Promise<void> {
    const { hostContext } = (await this.#ask('ui/initialize', {
      appInfo: { name: 'agent-ls', version: '1' },
      appCapabilities: {},
      protocolVersion: PROTOCOL_VERSION,
    })) as { hostContext: HostContext };
    this.#heed(hostContext);
    this.#send({ method: 'ui/notifications/initialized', params: {} });
    const { documentElement } = document;
    new ResizeObserver(() => {
      const params = { width: documentElement.scrollWidth, height: documentElement.scrollHeight };
      this.#send({ method: 'ui/notifications/size-changed', params });
    }).observe(documentElement);
  }

  callTool(name: string, input: object): Promise<ToolResult> {
    return this.#ask('tools/call', { name, arguments: input }) as Promise<ToolResult>;
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#count;
    this.#send({ id, method, params });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
    });
  }

  /** Sends to any origin: the frame has none of its own and does not know the client's. Nothing secret is sent. */
  #send(message: object): void {
    parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  #take(message: Message): void {
    const { id, method, params = {} } = message;
    if (method === 'ui/notifications/tool-input') this.#input = (params.arguments ?? {}) as Input;
    else if (method === 'ui/notifications/tool-result') this.#onResult(this.#input, params);
    else if (method === 'ui/notifications/host-context-changed') this.#heed(params as HostContext);
    // Any other request gets an empty result, also the one before the app is closed: there is nothing to save.
    else if (method !== undefined && id !== undefined) this.#send({ id, result: {} });
    else if (id !== undefined) {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    }
  }

  #heed(context: HostContext): void {
    if (context?.theme !== undefined) document.documentElement.dataset.theme = context.theme;
  }
}
