/** `npm run bench -- <name>`: measures one thing and its limit in the same run, and prints the ratio. */
import { readdirSync } from 'node:fs'

const known = readdirSync(new URL('./suites/', import.meta.url)).map((file) => file.replace(/\.ts$/, ''))
const [name = ''] = process.argv.slice(2)

if (!known.includes(name)) {
  process.stderr.write(`Usage: npm run bench -- <${known.join(' | ')}>\n`)
  process.exit(2)
}
const { run } = (await import(`./suites/${name}.ts`)) as { run(): Promise<void> }
await run()
