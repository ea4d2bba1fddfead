/** `npm run chaos -- <suite>`: 0 when everything was kept, 1 when something was broken, 2 for arguments of no sense. */
import * as bus from './bus.ts'
import * as failover from './failover/suite.ts'
import * as nodes from './nodes/suite.ts'
import * as rolling from './rolling/suite.ts'
import * as tenants from './tenants/suite.ts'

const suites: Readonly<Record<string, { usage: string; run(args: string[]): Promise<boolean | undefined> }>> = {
  bus,
  failover,
  nodes,
  rolling,
  tenants,
}
const [name = '', ...args] = process.argv.slice(2)
const isKept = await suites[name]?.run(args)
if (isKept === undefined)
  process.stderr.write(
    `Usage:\n${Object.values(suites)
      .map(({ usage }) => `  npm run chaos -- ${usage}\n`)
      .join('')}`,
  )
process.exitCode = isKept === undefined ? 2 : Number(!isKept)
