/** Code that was compiled ahead: see `assembly/` and scripts/assembly.js. */

/** A number that the code exports: an address, or an amount. */
export interface Constant {
  readonly value: number;
}

interface Runtime {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

const modules = new Map<string, object>();

/** What the code exports, from base64. Throws where Node was told to do without, or has too little memory. */
export function instantiated<Code>(code: string, imports: object = {}): Code {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: Runtime };
  const module = modules.get(code) ?? new WebAssembly.Module(Buffer.from(code, 'base64'));
  modules.set(code, module);
  return new WebAssembly.Instance(module, imports).exports as Code;
}
