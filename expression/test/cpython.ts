/** CPython as the reference: evaluates expressions and returns what they print, or which error they raise. */
import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface Case {
  expression: string
  payload: unknown
}

/** `value` is repr() of the result; `error` the name of the exception. */
export type Verdict = { value: string } | { error: string }

export const hasPython = spawnSync('python3', ['-c', 'pass']).status === 0

const script = `
import json, sys, warnings
warnings.simplefilter('ignore')
allowed = {name: __builtins__.__dict__[name] for name in 'len any all sum min max abs round sorted str int float bool isinstance list dict set tuple range'.split()}
for line in sys.stdin:
    case = json.loads(line)
    try:
        # In one namespace, so that comprehensions see the names as they would in a function.
        names = {'__builtins__': allowed, 'payload': case['payload']}
        value = eval(case['expression'], names)
        answer = {'value': repr(value)}
    except BaseException as problem:
        answer = {'error': type(problem).__name__}
    print(json.dumps(answer), flush=False)
`

export const askPython = async (cases: readonly Case[]): Promise<Verdict[]> => {
  const python = spawn('python3', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const verdicts: Verdict[] = []
  const lines = createInterface({ input: python.stdout })
  lines.on('line', (line) => void verdicts.push(JSON.parse(line) as Verdict))
  const closed = new Promise((resolve) => lines.once('close', resolve))
  python.stdin.end(cases.map((one) => `${JSON.stringify(one)}\n`).join(''))
  await closed
  return verdicts
}
