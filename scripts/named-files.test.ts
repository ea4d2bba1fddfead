/** Pages name files, folders and code so that a reader can find them: what is renamed must be renamed on every page too. */
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allPaths, readText } from './pages/source-files.ts'

const pages = allPaths.filter((path) => path.endsWith('.md'))

/** `kernel/http/route.ts` and `route.ts` both name the file that ends so; a pattern such as `*.test.ts` names none. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/`([\w@./-]+\.(?:tsx?|mjs|sql|json|css))`/g)].map(([, name = '']) => name.replace(/^\.\.?\//, ''))

const isThere = (name: string): boolean => allPaths.some((path) => path === name || path.endsWith(`/${name}`))

/** Examples, or files that are created at run time. */
const examples = new Set([
  'verb-noun.ts',
  'secrets.json',
  'queries.ts',
  'NNNN_name.sql',
  'models.json',
  'evidence.json',
  'chancery-workflows.json',
])

describe('the files that a page names', () => {
  it.each(pages)('exist: %s', (page) => {
    const named = namedIn(readText(page))
    expect(named.filter((name) => !examples.has(name) && !isThere(name))).toEqual([])
  })
})

const parents = (path: string): string[] => {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...parents(folder)]
}
const folders = [...new Set(allPaths.flatMap(parents))]

/** `engine/` and `kernel/outbound` name folders. */
const foldersNamedIn = (text: string): string[] =>
  [...text.matchAll(/`((?:[\w@.-]+\/)+|(?:kernel|modules|server|web|contract|scripts|plugin)(?:\/[\w-]+)+)`/g)].map(
    ([, name = '']) => name.replace(/\/$/, ''),
  )

/** Made by a command or at run time, or a part of a package's name. */
const madeFolders = new Set([
  'artifacts',
  'postgres',
  'postgres/log',
  'run',
  'blobs',
  'cache',
  'release',
  'fast-embeddings',
  '@chancery/contract',
])

describe('the folders that a page names', () => {
  it.each(pages)('exist: %s', (page) => {
    const isFolder = (name: string): boolean => folders.some((path) => path === name || path.endsWith(`/${name}`))
    expect(foldersNamedIn(readText(page)).filter((name) => !madeFolders.has(name) && !isFolder(name))).toEqual([])
  })
})

const code = /\.(ts|tsx|mjs|sql|json|css|html)$/
const words = new Set(
  allPaths.filter((path) => code.test(path)).flatMap((path) => readText(path).match(/[A-Za-z_$][\w$]*/g) ?? []),
)

/** `registerCompanyFounder` and `access_grants`: inside of words, a capital or an underscore. Decisions tell of the past. */
const codeNamedIn = (text: string): string[] =>
  [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([a-z]+(?:[A-Z_][\w]*)+)(?:\(.*?\))?`/g)].map(
    ([, name = '']) => name,
  )

/** Names of others, and codes that are put together. */
const otherNames =
  /^(createX|pg_dump|pg_ctl|baseUrl|stop_grace_period|terminationGracePeriodSeconds|code_[a-z]+|lease_)$/

describe('the code that a page of today names', () => {
  it.each(pages.filter((page) => !page.includes('/decisions/')))('exists: %s', (page) => {
    expect(codeNamedIn(readText(page)).filter((name) => !otherNames.test(name) && !words.has(name))).toEqual([])
  })
})
