/** What a charged step costs: evaluates until the budget is spent, and divides the time by the steps. */
import { Budget, compileExpression, ExpressionError } from '../src/index.ts'

/** An evaluation that ends earlier counts as so many steps: what it does once may cost that much without a charge. */
const fewestSteps = 500

/** Where a charge is missing, one evaluation could take hours. */
const mostMs = 100

class WatchedBudget extends Budget {
  readonly #end = performance.now() + mostMs

  override spend(steps: number): void {
    super.spend(steps)
    if (performance.now() > this.#end) throw new ExpressionError('LimitExceeded', 'too slow to be measured further')
  }
}

export interface Measured {
  text: string
  steps: number
  /** Microseconds for a step. */
  us: number
}

/** `text` is evaluated again and again in one evaluation, unless it fails; `made` are values that are made before. */
const evaluationOf = (text: string, payload: unknown, made: Readonly<Record<string, string>>): (() => number) => {
  const clauses = Object.entries(made)
    .filter(([name]) => text.includes(name))
    .map(([name, value]) => `for ${name} in [${value}]`)
  const whole = `[1 ${clauses.join(' ')} for x in payload["many"] if (${text}) is payload]`
  const loop = compileExpression(whole, ['payload'])
  return () => {
    const budget = new WatchedBudget()
    try {
      loop.evaluate([payload], budget)
    } catch (problem) {
      if (!(problem instanceof ExpressionError)) throw problem
    }
    return Math.max(budget.spent, fewestSteps)
  }
}

/** Quickly, with all that the machine does meanwhile. */
export const measure = (text: string, payload: unknown, made: Readonly<Record<string, string>>): Measured => {
  const evaluate = evaluationOf(text, payload, made)
  const before = performance.now()
  const steps = evaluate()
  return { text, steps, us: ((performance.now() - before) * 1000) / steps }
}

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The thread's clock stands still between its ticks, of which there are some in so many milliseconds. */
const enoughMs = 30

/** By the processor time of this thread alone, warm. */
export const measureCarefully = (text: string, payload: unknown, made: Readonly<Record<string, string>>): Measured => {
  const evaluate = evaluationOf(text, payload, made)
  evaluate()
  const before = threadMs()
  let [steps, times] = [0, 0]
  while (threadMs() - before < enoughMs && times < 100) {
    steps += evaluate()
    times += 1
  }
  return { text, steps, us: ((threadMs() - before) * 1000) / steps }
}
