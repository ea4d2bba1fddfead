/** Debian's nginx with a configuration of `deploy`, at ports of the test's own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { atEnd } from '../harness/at-end.ts'
import { makeFolder } from '../process/temp-folder.ts'
import { makeCertificates } from './certificates.ts'

const program = '/usr/sbin/nginx'
const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url))

/** Skips loudly where nginx is missing; CI never lacks it. */
export const describeWithNginx = (name: string, body: () => void | Promise<void>): void => {
  if (existsSync(program)) return void describe(name, body)
  if (process.env.CI) throw new Error(`${program} is missing: ${name} cannot run`)
  console.warn(`SKIPPED, needs nginx: ${name}`)
  describe.skip(name, () => it('needs nginx', () => undefined))
}

/** What differs from a real machine; a part that the file doesn't have any more is an error. */
const replaceAll = (text: string, parts: Record<string, string>): string =>
  Object.entries(parts).reduce((changed, [part, by]) => {
    if (!changed.includes(part)) throw new Error(`The configuration has no "${part}" to replace.`)
    return changed.replaceAll(part, by)
  }, text)

const mainFile = (folder: string): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  include ${folder}/site.conf;
}
`

/** In a folder of its own, with a certificate for 127.0.0.1. */
export const prepareNginx = async (file: string, parts: Record<string, string>) => {
  const folder = await makeFolder()
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const own = join(folder, 'chancery')
  await mkdir(own)
  const certificates = await makeCertificates(own)
  await chmod(certificates.keyFile, 0o644)
  await copyFile(join(deploy, 'nginx/proxy.conf'), join(own, 'proxy.conf'))
  const site = replaceAll(await readFile(join(deploy, file), 'utf8'), {
    'fullchain.pem': 'server.crt',
    'privkey.pem': 'server.key',
    '/etc/nginx/chancery/': `${own}/`,
    ...parts,
  })
  await writeFile(join(folder, 'site.conf'), site)
  await writeFile(join(folder, 'nginx.conf'), mainFile(folder))
  return { args: ['-p', folder, '-c', join(folder, 'nginx.conf')], certificates }
}

const run = (args: readonly string[]) => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return { child, said: () => said }
}

/** What `nginx -t` says, when it refuses the file. */
export const refusalOf = async (args: readonly string[]): Promise<string | undefined> => {
  const { child, said } = run([...args, '-t', '-q'])
  const [code] = await once(child, 'close')
  return code === 0 ? undefined : said()
}

/** Gone when the tests around it have ended. */
export const startNginx = async (args: readonly string[]): Promise<void> => {
  const { child } = run(args)
  atEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  })
}
