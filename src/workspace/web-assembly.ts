/** Instantiates WebAssembly that was compiled ahead: see `assembly/` and scripts/assembly.js. */

/** A number that the code exports: an address, or an amount. */
export interface Constant {
  readonly value: number;
}

interface Runtime {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

const modules = new Map<string, object>();

/** Returns the exports of base64-encoded code. Throws if WebAssembly is disabled in Node, or memory is too low. */
export function instantiated<Code>(code: string, imports: object = {}): Code {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: Runtime };
  const module = modules.get(code) ?? new WebAssembly.Module(Buffer.from(code, 'base64'));
  modules.set(code, module);
  return new WebAssembly.Instance(module, imports).exports as Code;
}
