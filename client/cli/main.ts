/** The command line for people: `chancery COMMAND`. */
import { sleep } from '../src/retry.ts'
import { runCli } from './run-cli.ts'

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort(new Error('interrupted')))

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
  write: (text) => void process.stdout.write(text),
  note: (line) => void process.stderr.write(`${line}\n`),
  piped: process.stdin.isTTY ? undefined : process.stdin,
  signal: interrupt.signal,
  wait: sleep,
})
