/** The command line for people: `chancery COMMAND`. */
import type { WriteStream } from 'node:tty'
import { sleep } from '../src/retry.ts'
import { printable } from './printable.ts'
import { runCli } from './run-cli.ts'

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort(new Error('interrupted')))

// Whoever reads the output has had enough, such as `head`.
process.stdout.on('error', (problem: NodeJS.ErrnoException) => {
  if (problem.code !== 'EPIPE') throw problem
  process.exit(0)
})

const print = (stream: WriteStream, text: string): void => void stream.write(stream.isTTY ? printable(text) : text)

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  say: (line) => print(process.stdout, `${line}\n`),
  write: (text) => print(process.stdout, text),
  note: (line) => print(process.stderr, `${line}\n`),
  piped: process.stdin.isTTY ? undefined : process.stdin,
  signal: interrupt.signal,
  wait: sleep,
})
