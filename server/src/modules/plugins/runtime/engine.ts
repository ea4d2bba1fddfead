/** QuickJS with a memory of its own, and the sources that run in it. In the limited child only. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core'

interface Packaged {
  default: QuickJSSyncVariant
}

/** Its types describe the CommonJS file, whose default is one level deeper. */
const loadVariant = async () => {
  const { default: variant } = (await import('@jitl/quickjs-ng-wasmfile-release-sync')) as unknown as Packaged
  return variant
}
let base: ReturnType<typeof loadVariant> | undefined
let compiled: Promise<WebAssembly.Module> | undefined

/** Compiled once for all sandboxes of the process. */
const compile = async (): Promise<WebAssembly.Module> => {
  const file = import.meta.resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm')
  return WebAssembly.compile(readFileSync(new URL(file)))
}

const pageBytes = 65_536
/** The engine's memory before the plugin is loaded. */
const engineBytes = 16 * 1024 * 1024

/** The memory itself can't grow beyond its maximum, whatever the engine counts. */
export const newEngine = async (memoryBytes: number) => {
  base ??= loadVariant()
  compiled ??= compile()
  const initial = engineBytes / pageBytes
  const wasmMemory = new WebAssembly.Memory({ initial, maximum: initial + Math.ceil(memoryBytes / pageBytes) })
  return newQuickJSWASMModuleFromVariant(newVariant(await base, { wasmModule: await compiled, wasmMemory }))
}

/** While the process starts: it would count as time of the first plugin otherwise. */
export const prepareEngine = async (): Promise<void> => {
  stripTypeScriptTypes('')
  base ??= loadVariant()
  compiled ??= compile()
  await Promise.all([base, compiled])
}

const sources = new Map<string, string>()
const folder = new URL('../sandbox/', import.meta.url)

/** Our own modules in the sandbox. A plugin can't import anything, not even these. */
export const ownSource = (name: string): string => {
  const known = sources.get(name)
  if (known !== undefined) return known
  const source = stripTypeScriptTypes(readFileSync(new URL(name, folder), 'utf8'))
  sources.set(name, source)
  return source
}

/** Node's parser is broken from here on, for every source: it is WebAssembly, and a deeply nested source overran it. */
export class ParserBroken extends Error {}

const ownProblems = new Set<unknown>(['ERR_INVALID_TYPESCRIPT_SYNTAX', 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'])

/** In here and not in the server: what is parsed is foreign. Throws `ParserBroken`, after which the process must end. */
export const toJavaScript = (source: string): string => {
  try {
    return stripTypeScriptTypes(source)
  } catch (problem) {
    const { message, stack = '', code } = problem as Error & { code?: unknown }
    if (!ownProblems.has(code)) throw new ParserBroken(message)
    const [words = ''] = message.split('\n')
    const line = /^:(\d+)\n/.exec(stack)?.[1]
    // Its own stack would name lines of ours.
    throw Object.assign(new SyntaxError(`The source isn't valid TypeScript: ${words}`), { stack: `plugin.ts:${line}` })
  }
}
