/** The command line itself; what commands do is tested with them. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#config'
import { createLog } from '#kernel/log.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { tempFolder } from '#test/process/temp-folder.ts'
import type { Command } from './command.ts'
import { dns, proxyHeaders } from './doctor/address.ts'
import { answerLine } from './doctor/examine.ts'
import { runCommand } from './run-command.ts'
import { commands as all } from './table.ts'

const copy: Command = {
  name: 'copy',
  arguments: ['FROM', '[TO]'],
  options: { quick: { type: 'boolean' }, name: { type: 'string' } },
  sentence: 'Copies something.',
  run: async ({ given, options, say }) => {
    say(JSON.stringify({ ...given, ...options }))
    return undefined
  },
}
const failing = (name: string, problem: Error): Command => ({
  name,
  arguments: [],
  sentence: 'Fails.',
  run: () => Promise.reject(problem),
})
const samples = [copy, failing('mend', new StartError('Set A to B.')), failing('break', new Error('a mistake of ours'))]

const run = async (
  args: string[],
  { commands = samples, env = {} }: { commands?: readonly Command[]; env?: NodeJS.ProcessEnv } = {},
) => {
  const [said, noted]: [string[], string[]] = [[], []]
  const code = await runCommand(args, {
    commands,
    env,
    say: (line) => said.push(line),
    note: (line) => noted.push(line),
  })
  return { code, said: said.join('\n'), noted: noted.join('\n') }
}

describe('a command line', () => {
  it('gives a command its arguments and options', async () => {
    expect(await run(['copy', 'a', '--quick', '--name=x'])).toEqual({
      code: 0,
      said: '{"FROM":"a","quick":true,"name":"x"}',
      noted: '',
    })
  })

  it.each([
    [['cpoy'], 'There is no command cpoy.'],
    [['help', 'cpoy'], 'There is no command cpoy.'],
    [['copy'], 'copy needs FROM.'],
    [['copy', 'a', 'b', 'c'], `copy doesn't take "c".`],
    [['copy', 'a', '--slow'], `Unknown option '--slow'`],
  ])('%j is refused with a sentence and help', async (args, sentence) => {
    const { code, said, noted } = await run(args)
    expect({ code, said }).toEqual({ code: 2, said: '' })
    expect(noted).toContain(sentence)
    expect(noted).toContain('Usage: chancery')
  })

  it('lists the commands, and says more about one', async () => {
    expect((await run([])).said).toContain('  copy FROM [TO]  Copies something.')
    expect((await run(['help', 'copy'])).said).toContain('Usage: chancery copy FROM [TO] [--quick] [--name VALUE]')
    expect((await run(['copy', '--help'])).said).toContain('Copies something.')
  })

  it('says what the operator can mend in one sentence, and shows where a mistake of ours happened', async () => {
    expect(await run(['mend'])).toEqual({ code: 1, said: '', noted: 'Set A to B.' })
    const { code, noted } = await run(['break'])
    expect(code).toBe(1)
    expect(noted).toMatch(/a mistake of ours\n\s+at /)
  })
})

/** Too long for a label, so it is refused without asking anybody. */
const noName = `https://${'x'.repeat(64)}.test`

describe('the commands', () => {
  it('have names of their own and a sentence each', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    for (const { sentence } of all) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })

  it('refuse a wrong variable as the server does, and a folder without a database', async () => {
    const dataDir = await tempFolder()
    const plan = (env: NodeJS.ProcessEnv) => run(['migrate', '--plan'], { commands: all, env })
    expect(await plan({ PORT: 'x' })).toMatchObject({ code: 1, noted: 'PORT must be a whole number from 0 to 65535.' })
    expect((await plan({ SVC_DATA_DIR: dataDir })).noted).toContain(`There is no database in ${dataDir}: set`)
    const away = await plan({ DATABASE_URL: 'postgres://a@127.0.0.1:1/b' })
    expect(away.noted).toContain('The database at DATABASE_URL cannot be reached')
  })

  it('examine an installation with everything down, one line for each part', async () => {
    const dead = '127.0.0.1:1'
    const { code, said } = await run(['doctor'], {
      commands: all,
      env: {
        SVC_DATA_DIR: await tempFolder(),
        DATABASE_URL: `postgres://a@${dead}/b`,
        REDIS_URL: `redis://${dead}`,
        SMTP_HOST: '127.0.0.1',
        SMTP_PORT: '1',
        SVC_URL: `http://${dead}`,
        S3_ENDPOINT: `http://${dead}`,
        S3_BUCKET: 'b',
        S3_ACCESS_KEY_ID: 'k',
        S3_SECRET_ACCESS_KEY: 's',
      },
    })
    expect(code).toBe(1)
    const states = said.split('\n').map((line) => line.slice(0, line.indexOf(':')))
    expect(states).toEqual([
      'ok   Data folder',
      expect.stringMatching(/Disk$/),
      'FAIL Database',
      'FAIL Pooler',
      'FAIL Files',
      'FAIL Redis',
      'FAIL Mail',
      '-    DNS',
      'FAIL Address',
      '-    Proxy',
    ])
    expect(said).toContain('FAIL Database: The database at DATABASE_URL cannot be reached: connect ECONNREFUSED')
    expect(said).toContain('FAIL Address: bad port')
  })

  it.each([
    [
      'https://localhost',
      '',
      ['WARN DNS: localhost is ', 'WARN Proxy: TRUSTED_PROXIES is empty, though TLS ends elsewhere'],
    ],
    [noName, '127.0.0.1,10.0.0.0/33', ['FAIL DNS: ', 'FAIL Proxy: "10.0.0.0/33" in TRUSTED_PROXIES']],
    [
      'http://127.0.0.1:1',
      '0.0.0.0/0',
      ['-    DNS: 127.0.0.1 is an address', 'WARN Proxy: TRUSTED_PROXIES has 0.0.0.0/0'],
    ],
    ['http://127.0.0.1:1', 'loopback, fd00::/8', ['-    DNS', 'WARN Proxy: TRUSTED_PROXIES has fd00::/8']],
    ['http://127.0.0.1:1', 'loopback,10.1.0.0/16', ['-    DNS', 'ok   Proxy: X-Forwarded-* is believed from loopback']],
  ])('say of %s and the proxies "%s" what is wrong', async (url, proxies, sentences) => {
    const config = readConfig({ SVC_URL: url, TRUSTED_PROXIES: proxies })
    const installation = { config, dataDir: '', log: createLog('silent') }
    const found = await Promise.all([dns, proxyHeaders].map((check) => answerLine(check, installation)))
    for (const [index, sentence] of sentences.entries()) expect(found[index]).toContain(sentence)
  })

  it('check the evidence of a document', async () => {
    const path = join(await tempFolder(), 'evidence.json')
    await writeFile(path, '{"documentId":"x","entries":[]}')
    const check = (...args: string[]) => run(['verify-evidence', ...args], { commands: all })
    expect(await check(path)).toEqual({
      code: 0,
      said: 'The audit log of document x is complete: 0 entries, last hash none.',
      noted: '',
    })
    await writeFile(path, '{}')
    expect(await check(path)).toMatchObject({ code: 2, said: `${path} cannot be checked: it has no audit log.` })
  })

  it('are a program', async () => {
    const program = fileURLToPath(new URL('../chancery.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--version'])
    expect(stdout).toMatch(/^chancery \d+\.\d+\.\d+/)
  })

  it('end with all of what they printed, whatever is still open', async () => {
    const module = JSON.stringify(new URL('./end-process.ts', import.meta.url).href)
    const script = `setInterval(() => {}, 60_000)
      process.exitCode = 3
      process.stdout.write('x'.repeat(500_000))
      const { endProcess } = await import(${module})
      await endProcess()`
    const ended = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    await expect(ended).rejects.toMatchObject({ code: 3, stdout: 'x'.repeat(500_000) })
  })
})
