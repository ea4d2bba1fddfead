/**
 * A step costs about the same everywhere. The thread's time for a charged step is measured for every function, method,
 * operator and kind of node of the language on large values, in one run: none may be fifteen times dearer than the median
 * of all. The cases are the same in each run; FUZZ_RUNS and FUZZ_SEED look further.
 */
import { describe, expect, it } from 'vitest'
import { kinds } from '../src/evaluate/compile.ts'
import { comparisons } from '../src/evaluate/operations.ts'
import { functions, typeTests } from '../src/functions/functions.ts'
import { methodsOfTypes } from '../src/functions/methods.ts'
import { binaryOperators } from '../src/functions/operators.ts'
import { type Measured, measure, measureCarefully } from './charged.ts'
import {
  comparisonCases,
  functionCases,
  made,
  methodCases,
  nodeCases,
  operatorCases,
  payload,
  pools,
  typeTestCases,
} from './charged-cases.ts'

const perCase = Number(process.env.FUZZ_RUNS ?? 2)
const seed = Number(process.env.FUZZ_SEED ?? 38)

/** Every part of the language, with its cases; undefined where it has none. */
const parts: [of: string, cases: readonly string[] | undefined][] = [
  ...Object.keys(functions).map((name): [string, readonly string[] | undefined] => [`${name}()`, functionCases[name]]),
  ...Object.entries(methodsOfTypes).flatMap(([type, names]) =>
    names.map((name): [string, readonly string[] | undefined] => [
      `${type}.${name}`,
      methodCases[type as keyof typeof methodCases][name],
    ]),
  ),
  ...Object.keys(typeTests).map((name): [string, readonly string[]] => [`isinstance ${name}`, typeTestCases(name)]),
  ...Object.keys(binaryOperators).map((symbol): [string, readonly string[] | undefined] => [
    `operator ${symbol}`,
    operatorCases[symbol],
  ]),
  ...comparisons.map((symbol): [string, readonly string[]] => [`operator ${symbol}`, comparisonCases(symbol)]),
  ...Object.keys(kinds).map((name): [string, readonly string[] | undefined] => [name, nodeCases[name]]),
]

/** mulberry32: the same values for the same seed. */
const createRandom = (start: number) => {
  let state = start
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}
const random = createRandom(seed)

/** A case with values in place of its capital letters. */
const filled = (text: string): string =>
  text.replace(/(?<!\w)([TNLDISVC])(?!\w)|(?<=[{:])F(?=\})/g, (_, letter: string | undefined) => {
    const pool = pools[letter ?? 'F'] ?? []
    return pool[random(pool.length)] ?? ''
  })

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

/** What took seconds or minutes for a budget. */
const known = [
  'len(payload["long"].rsplit(payload["late"], 1))',
  'payload["long"].count(payload["early"])',
  'payload["late"] in payload["long"]',
  'payload["long"].replace(payload["early"], "")',
  'f"{1:060000,}"',
  'float("1" * 4000 + "x")',
  'int(payload["otherDigits"])',
  'payload["same"] <= payload["twin"]',
  '1 if payload["wide"] else 2',
  'round(15, -4999)',
  '{payload["large"]: 1}',
  'payload["large"] ** 3',
  'payload["blanks"].strip()',
  'payload["wordz"]',
]

const measureAll = (): Measured[] =>
  parts.flatMap(([, cases]) =>
    (cases ?? []).flatMap((text) => {
      const texts = new Set(Array.from({ length: /[TNLDISVCF]/.test(text) ? perCase : 1 }, () => filled(text)))
      return [...texts].map((one) => measure(one, payload, made))
    }),
  )

describe(`a charged step (FUZZ_SEED=${seed})`, () => {
  it('has a case for every part of the language', () => {
    expect(parts.filter(([, cases]) => !cases?.length).map(([of]) => of)).toEqual([])
  })

  it('costs nowhere fifteen times what it costs elsewhere', { timeout: 600_000 }, () => {
    const measured = [...measureAll(), ...known.map((text) => measure(text, payload, made))]
    const careful = ({ text }: Measured) => measureCarefully(text, payload, made)
    /** Other work on the machine empties the caches, which makes a step dearer and never cheaper. */
    const leastOf = (one: Measured): Measured =>
      [1, 2, 3, 4].map(() => careful(one)).reduce((least, other) => (other.us < least.us ? other : least))
    const median = medianOf(measured.filter((_, index) => index % 9 === 0).map((one) => careful(one).us))
    const dear = measured
      .filter(({ us }) => us > 15 * median)
      .map(careful)
      .filter(({ us }) => us > 15 * median)
      .map(leastOf)
      .filter(({ us }) => us > 15 * median)
      .toSorted((one, other) => other.us - one.us)
      .map(({ text, us }) => `${(us / median).toFixed(0)} times: ${text}`)
    if (process.env.FUZZ_SHOW) console.log(measured.length, 'cases; µs for a step:', median)
    expect(dear).toEqual([])
  })
})
