/**
 * Our own code as a child loads it: the files of one worker with their types stripped, in one file that children only
 * read. Without it every child loads Node's TypeScript parser, which takes longer than all of our code. They can't use
 * Node's compile cache: it must be writable, and then a hostile task could change what the next child runs.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = new URL('../../../../', import.meta.url).href
const packagesDir = fileURLToPath(new URL('node_modules/', root))
/** Below the packages, which children may read anyway. */
const cacheDir = join(packagesDir, '.cache/chancery/children')
const preparePath = fileURLToPath(new URL('./process/prepare.ts', import.meta.url))

/** Whatever loads a file, as our formatter writes it. What this misses the child strips by itself. */
const imports = /(?:^(?:import|export) (?!type\b)[^'"]*?from |\bimport\()'([^']+)'/gm

/** Undefined where the specifier names no TypeScript of ours: packages hold none, nor does Node.js. */
const ourFile = (specifier: string, importer: string): string | undefined => {
  if (!/^([.#]|@chancery\/)/.test(specifier)) return undefined
  const url = specifier.startsWith('.')
    ? new URL(specifier, importer).href
    : pathToFileURL(createRequire(importer).resolve(specifier)).href
  return url.endsWith('.ts') ? url : undefined
}

/** Where a file is in the installation, so that what was prepared stays right when the installation is moved. */
const placeOf = (url: string): string => (url.startsWith(root) ? url.slice(root.length) : url)

/** The files that these load, directly or not, by their address. */
const readSources = async (entries: readonly string[]): Promise<Map<string, string>> => {
  const sources = new Map<string, string>()
  const read = async (url: string): Promise<void> => {
    if (sources.has(url)) return
    sources.set(url, '')
    const source = await readFile(new URL(url), 'utf8')
    sources.set(url, source)
    const loaded = [...source.matchAll(imports)].flatMap(([, specifier = '']) => ourFile(specifier, url) ?? [])
    await Promise.all(loaded.map(read))
  }
  await Promise.all(entries.map(read))
  return sources
}

const keyOf = (sources: Map<string, string>): string => {
  const hash = createHash('sha256').update(process.version)
  for (const [url, source] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`\0${placeOf(url)}\0${source}`)
  return hash.digest('hex').slice(0, 32)
}

const programOf = (
  stripped: Record<string, string>,
  main: string,
): string => `import { registerHooks } from 'node:module'
const root = new URL('../../../../', import.meta.url)
const stripped = Object.entries(${JSON.stringify(stripped)})
const sources = new Map(stripped.map(([place, source]) => [new URL(place, root).href, source]))
const load = (url, context, next) => {
  const source = sources.get(url)
  return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
}
registerHooks({ load })
await import(new URL(${JSON.stringify(placeOf(main))}, root).href)
`

/** Renamed only once it is complete, because servers may start side by side. Replaces those of older code. */
const write = async (file: string, content: string): Promise<void> => {
  await mkdir(cacheDir, { recursive: true })
  const partial = `${file}.${process.pid}`
  await writeFile(partial, content)
  await chmod(partial, 0o644)
  await rename(partial, file)
  const [name] = basename(file).split('-')
  const older = (await readdir(cacheDir)).filter((other) => other !== basename(file) && other.startsWith(`${name}-`))
  await Promise.all(older.filter(isComplete).map((other) => rm(join(cacheDir, other), { force: true })))
}

const isComplete = (name: string): boolean => name.endsWith('.mjs')

/** Children of root run as other users, who must be able to read it whatever the server's umask is. */
const isReadable = async (file: string): Promise<boolean> => {
  const modes = [(await stat(file)).mode >> 2]
  for (let folder = dirname(file); folder.startsWith(packagesDir); folder = dirname(folder))
    modes.push((await stat(folder)).mode)
  return modes.every((mode) => (mode & 1) === 1)
}

/** In a process of its own (`process/prepare.ts`): stripping takes half a second of processor time. */
export const writeProgram = async (file: string, main: string, script: string): Promise<void> => {
  const sources = [...(await readSources([main, script]))]
  const stripped = sources.map(([url, source]) => [placeOf(url), stripTypeScriptTypes(source)])
  await write(file, programOf(Object.fromEntries(stripped), main))
}

const prepare = async (main: string, script: string): Promise<string> => {
  const sources = await readSources([main, script])
  const file = join(cacheDir, `${basename(script, '.worker.ts')}-${keyOf(sources)}.mjs`)
  const args = ['--no-warnings', preparePath, file, main, script]
  if (!existsSync(file)) await promisify(execFile)(process.execPath, args, { env: {} })
  return file
}

const prepared = new Map<string, Promise<string | undefined>>()

/**
 * The program for children of this script, prepared once: the server also runs the code that it loaded at its start.
 * Undefined where it can't be kept or read; each child then strips the types by itself.
 */
export const preparedProgram = async (main: URL, script: URL): Promise<string | undefined> => {
  const preparing = prepared.get(script.href) ?? prepare(main.href, script.href).catch(() => undefined)
  prepared.set(script.href, preparing)
  const file = await preparing
  // A server with newer code may have removed it.
  return file !== undefined && (await isReadable(file).catch(() => false)) ? file : undefined
}
