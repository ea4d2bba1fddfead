/**
 * `npm run release`: makes the archive for this platform in `release/`, with its checksums, bill of materials, licences
 * and provenance. With `--folder`, only the unpacked folder, for the build of an image; with `--gzip`, for machines
 * without xz, an archive that is a quarter larger.
 */
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findBinaries } from '../server/src/kernel/db/embedded-postgres/binaries.ts'
import { assemble } from './release/assemble.ts'
import { describeBuild, hasChangelogEntry } from './release/build.ts'
import { contentsOf } from './release/contents.ts'
import { listLicences } from './release/licences.ts'
import { describeProvenance, sha256 } from './release/provenance.ts'
import { billOfMaterials } from './release/sbom.ts'

const project = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { folder: { type: 'boolean' }, gzip: { type: 'boolean' } } })
const build = describeBuild(project, process.env)
if (!hasChangelogEntry(readFileSync(join(project, 'CHANGELOG.md'), 'utf8'), build.version)) {
  console.error(`CHANGELOG.md has no entry for ${build.version}: write what changed for people who upgrade.`)
  process.exit(1)
}

const json = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`
const name = `chancery-${build.version}-${build.platform}`
const output = join(project, 'release')
const target = join(output, name)
const partial = `${target}.partial`

// Makes the links between its libraries, where npm was not allowed to.
await findBinaries(build.platform)
const contents = contentsOf(project, build.platform)
for (const path of [target, partial]) rmSync(path, { recursive: true, force: true })
mkdirSync(partial, { recursive: true })
assemble({ project, target: partial, build, packages: contents.server })
const prepareChildren = join(import.meta.dirname, 'release/prepare-children.ts')
execFileSync(join(partial, 'bin/node'), ['--no-warnings', prepareChildren, partial], { stdio: 'inherit' })
writeFileSync(join(partial, 'sbom.json'), json(billOfMaterials(contents, build)))
writeFileSync(join(partial, 'LICENCES.txt'), listLicences(project, [...contents.server, ...contents.web]))
renameSync(partial, target)
console.log(`release/${name}: ${megabytes(target)} MB`)
if (!values.folder) await pack()

function megabytes(path: string): number {
  const itself = lstatSync(path)
  const inside = itself.isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
  const bytes = inside.reduce((sum, file) => sum + lstatSync(join(path, file)).size, itself.size)
  return Math.round(bytes / 1_000_000)
}

/** The same bytes for the same content: names in order, one owner, one time. */
async function pack(): Promise<void> {
  const [ending, compress] = values.gzip ? ['gz', 'gzip -9n'] : ['xz', 'xz -7 -T2']
  const archive = `${target}.tar.${ending}`
  const order = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=go+u,go-w',
    `--mtime=${build.builtAt}`,
  ]
  execFileSync('tar', [...order, '-I', compress, '-cf', `${archive}.partial`, '-C', output, name])
  renameSync(`${archive}.partial`, archive)
  const beside = ['sbom.json', 'LICENCES.txt'].map((file) => {
    const path = `${target}.${file}`
    writeFileSync(path, readFileSync(join(target, file)))
    return path
  })
  const digests = await digestsOf([archive, ...beside])
  const provenance = `${target}.provenance.json`
  writeFileSync(provenance, json(await describeProvenance(project, build, digests)))
  const all = { ...digests, ...(await digestsOf([provenance])) }
  const lines = Object.entries(all).map(([file, digest]) => `${digest}  ${file}\n`)
  writeFileSync(join(output, 'SHA256SUMS'), lines.join(''))
  console.log(`release/${basename(archive)}: ${megabytes(archive)} MB, with SHA256SUMS beside it`)
}

async function digestsOf(paths: readonly string[]): Promise<Record<string, string>> {
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [basename(path), await sha256(path)])))
}
