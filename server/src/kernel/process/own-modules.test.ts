/** Our own imports lead to the files that Node.js finds for them by itself. */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findOwnModule } from './own-modules.ts'

const project = new URL('../../../../', import.meta.url)
const here = new URL('server/src/app.ts', project).href
const specifiers = /\bfrom '([^']+)'|\bimport\('([^']+)'\)/g

/** As Node.js finds it for `require`, which no hook changes. */
const findBySearch = (specifier: string, importer: string): string =>
  pathToFileURL(createRequire(importer).resolve(specifier)).href

describe('our own modules', () => {
  it('are found where Node.js finds them', async () => {
    const found = new Set<string>()
    const wrong: string[] = []
    for await (const path of glob('{server/{src,test},contract/src}/**/*.ts', { cwd: fileURLToPath(project) })) {
      const importer = new URL(path, project).href
      for (const [, named, loaded] of readFileSync(new URL(importer), 'utf8').matchAll(specifiers)) {
        const specifier = named ?? loaded ?? ''
        const url = findOwnModule(specifier, importer)
        if (url === undefined || found.has(url)) continue
        found.add(url)
        if (url !== findBySearch(specifier, importer)) wrong.push(`${specifier} in ${path}`)
      }
    }
    expect(wrong).toEqual([])
    // Most of them are imported by somebody.
    expect(found.size).toBeGreaterThan(1000)
  })

  it.each([
    ['a package', 'zod', here],
    ['a part of a package', 'zod/v4', here],
    ['a file that isn’t TypeScript', './package.json', here],
    ['what a package imports', './x.ts', new URL('node_modules/some/index.js', project).href],
    ['what somebody else imports', './x.ts', 'file:///elsewhere/index.ts'],
    ['the first module', './main.ts', ''],
  ])('are not %s', (_what, specifier, importer) => {
    expect(findOwnModule(specifier, importer)).toBeUndefined()
  })
})
