/**
 * The fast engine, in the limited child: ONNX Runtime's native library without its package's JavaScript, which wants
 * threads that this process may not have. What is declared here of the library belongs to the pinned version.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fastFiles } from './fast-files.ts'
import { createWordPiece, type WordPiece } from './word-piece.ts'

/** The library reads these fields of what it is given, and makes its results with this class. */
class Tensor {
  readonly location = 'cpu'
  readonly type: string
  readonly data: ArrayLike<number> | BigInt64Array
  readonly dims: readonly number[]
  constructor(type: string, data: Tensor['data'], dims: readonly number[]) {
    this.type = type
    this.data = data
    this.dims = dims
  }
}

interface Session {
  loadModel(model: ArrayBufferLike, offset: number, length: number, options: object): void
  run(inputs: Record<string, Tensor>, outputs: Record<string, null>, options: object): Record<string, Tensor>
}

interface Library {
  initOrtOnce(logLevel: number, tensor: typeof Tensor, isMainThread: boolean): void
  InferenceSession: new () => Session
}

interface Engine {
  session: Session
  tokenize: WordPiece
}

/** As the bundled engine cuts. */
const maxTokens = 256
const onlyErrors = 3
const options = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  logSeverityLevel: onlyErrors,
}

let loading: Promise<Engine> | undefined

const load = async (folder: string): Promise<Engine> => {
  const files = fastFiles(folder)
  const library = createRequire(import.meta.url)(files.addon) as Library
  library.initOrtOnce(onlyErrors, Tensor, true)
  const model = await readFile(files.model)
  const session = new library.InferenceSession()
  session.loadModel(model.buffer, model.byteOffset, model.byteLength, options)
  const tokenizer = JSON.parse(await readFile(files.tokenizer, 'utf8')) as { model: { vocab: Record<string, number> } }
  return { session, tokenize: createWordPiece(new Map(Object.entries(tokenizer.model.vocab))) }
}

/** The mean over all tokens. Its length does not matter: the server makes it 1. */
const embed = ({ session, tokenize }: Engine, text: string): number[] => {
  const ids = tokenize(text, maxTokens)
  const tensor = (values: readonly number[]) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, ids.length])
  const inputs = {
    input_ids: tensor(ids),
    attention_mask: tensor(ids.map(() => 1)),
    token_type_ids: tensor(ids.map(() => 0)),
  }
  const { last_hidden_state: states } = session.run(inputs, { last_hidden_state: null }, {})
  const data = states?.data as Float32Array
  const width = data.length / ids.length
  return Array.from({ length: width }, (_, column) => {
    let sum = 0
    for (let at = column; at < data.length; at += width) sum += data[at] ?? 0
    return sum / ids.length
  })
}

export const tasks = {
  /** One at a time: a batch would be padded to its longest text. */
  embed: async ({ texts, folder }: { texts: string[]; folder: string }): Promise<{ vectors: number[][] }> => {
    loading ??= load(folder)
    const engine = await loading
    return { vectors: texts.map((text) => embed(engine, text)) }
  },
}
