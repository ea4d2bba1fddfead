/** Pages name files so that a reader can open them: a renamed file must be renamed on every page too. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n')
const pages = files.filter((file) => file.endsWith('.md'))

/** `kernel/http/route.ts` and `route.ts` both name the file that ends so; a pattern such as `*.test.ts` names none. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/`([\w@./-]+\.(?:tsx?|mjs|sql|json|css))`/g)].map(([, name = '']) => name.replace(/^\.\.?\//, ''))

const isThere = (name: string): boolean => files.some((file) => file === name || file.endsWith(`/${name}`))

/** Examples, or files that are created at run time. */
const examples = new Set([
  'verb-noun.ts',
  'secrets.json',
  'queries.ts',
  'NNNN_name.sql',
  'models.json',
  'evidence.json',
])

describe('the files that a page names', () => {
  it.each(pages)('exist: %s', (page) => {
    const named = namedIn(readFileSync(new URL(`../${page}`, import.meta.url), 'utf8'))
    expect(named.filter((name) => !examples.has(name) && !isThere(name))).toEqual([])
  })
})
