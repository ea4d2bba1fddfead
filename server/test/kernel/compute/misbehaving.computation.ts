/** What foreign data could make of a computation, had it a mistake. */
import { AppError } from '#kernel/errors.ts'

type Ask =
  | { do: 'echo'; value: unknown }
  | { do: 'loop' | 'backtrack' | 'fill memory' | 'exit' | 'refuse' | 'break' }
  | { do: 'wait'; gate: SharedArrayBuffer }
  | { do: 'repeat'; times: number }

export const compute = (ask: Ask): unknown => {
  switch (ask.do) {
    case 'echo':
      return ask.value
    case 'loop':
      for (;;);
    case 'backtrack':
      return /^(a+)+$/.test(`${'a'.repeat(100)}b`)
    case 'fill memory': {
      const all: string[][] = []
      for (;;) all.push(Array.from({ length: 10_000 }, (_, n) => `${n}-${all.length}`))
    }
    case 'exit':
      return process.exit(3)
    case 'refuse':
      throw new AppError('invalid_request', { detail: 'Not like this.' })
    case 'break':
      throw new TypeError('broken')
    case 'repeat':
      return 'x'.repeat(ask.times)
    case 'wait':
      Atomics.wait(new Int32Array(ask.gate), 0, 0)
      return 'opened'
  }
}
