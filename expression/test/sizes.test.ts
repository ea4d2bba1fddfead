/**
 * Fuzzes what an evaluation costs, not what it yields: whatever the sizes, it ends within its budget. The bounds are far
 * above what a slow machine needs; an operation that is not charged exceeds them by orders of magnitude. FUZZ_RUNS and
 * FUZZ_SEED look further.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileExpression, ExpressionError, ExpressionSyntaxError, toJson } from '../src/index.ts'

const maxCpuMs = 1000
const maxHeapBytes = 128 * 1024 * 1024

const payloadOf = (size: number) => ({
  text: 'ab '.repeat(size / 3),
  emoji: '😀é'.repeat(size / 3),
  list: Array.from({ length: size }, (_, index) => index % 97),
  words: Array.from({ length: size / 10 }, (_, index) => `word ${index}`),
  wide: Object.fromEntries(Array.from({ length: size / 10 }, (_, index) => [`k${index}`, index])),
})
const payloads = [0, 7, 300, 9_999, 60_000, 300_000].map(payloadOf)

const bigNumber = fc.constantFrom('0', '-1', '3', '9999', '10**9', '10**400', '-10**400', '2**4000', '0.1', '1e308')
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    bigNumber,
    fc.constantFrom('text', 'emoji', 'list', 'words', 'wide').map((key) => `payload["${key}"]`),
    fc.constantFrom('x', '"a"', '""', '[]', '()', '{}', 'None'),
    fc
      .tuple(
        tie('value'),
        fc.constantFrom('+', '-', '*', '/', '//', '%', '**', '&', '|', '<<', '>>', '==', '<', 'in', 'and', 'or'),
        tie('value'),
      )
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    fc
      .tuple(
        fc.constantFrom('len', 'sum', 'min', 'sorted', 'str', 'int', 'list', 'set', 'dict', 'tuple', 'range', 'any'),
        tie('value'),
      )
      .map(([name, a]) => `${name}(${a})`),
    fc.tuple(tie('value'), bigNumber).map(([a, digits]) => `round(${a}, ${digits})`),
    fc
      .tuple(
        tie('value'),
        fc.constantFrom(
          'upper()',
          'title()',
          'strip()',
          'strip("ab ")',
          'split()',
          'split("a")',
          'rsplit(None, 2)',
          'rsplit("b", 9)',
          'replace("a", "bbb")',
          'replace("", "-")',
          'find("z")',
          'count("")',
          'count("a")',
          'items()',
          'values()',
          'index("zz")',
          'isalpha()',
          'isdigit()',
          'startswith("ab")',
          'format(1, 2)',
          'join(payload["words"])',
        ),
      )
      .map(([a, call]) => `${a}.${call}`),
    fc
      .tuple(tie('value'), fc.constantFrom('::-1', '1:', ':10**400', '::10**9', '-10**400:', '::2'))
      .map(([a, cut]) => `${a}[${cut}]`),
    fc.tuple(tie('value'), tie('value')).map(([a, b]) => `[${a} for x in ${b}]`),
    fc.tuple(tie('value'), tie('value')).map(([a, b]) => `{${a}: 1 for x in ${b}}`),
    fc.tuple(tie('value'), tie('value')).map(([a, b]) => `{(${a}, x) for x in ${b}}`),
    fc.tuple(tie('value'), tie('value')).map(([a, b]) => `any(${a} == y for y in ${b})`),
    fc
      .tuple(fc.constantFrom('>99', '.50f', ',', '08', 'e', 'x', '>65000'), tie('value'))
      .map(([spec, a]) => `"{:${spec}}".format(${a})`),
    fc
      .tuple(fc.constantFrom('%s', '%r', '%d', '%.40f', '%060000d'), tie('value'))
      .map(([spec, a]) => `"${spec}" % (${a},)`),
  ),
}))

it('an evaluation ends within its budget, whatever the sizes', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(value, fc.nat(payloads.length - 1), (text, which) => {
      const given = payloads[which]
      let evaluate: () => unknown
      try {
        const compiled = compileExpression(`[${text} for x in [1]]`, ['payload'])
        evaluate = () => toJson(compiled.evaluate([given]))
      } catch (problem) {
        expect(problem).toBeInstanceOf(ExpressionSyntaxError)
        return
      }
      const [cpu, heap] = [process.cpuUsage(), process.memoryUsage().heapUsed]
      try {
        evaluate()
      } catch (problem) {
        expect(problem).toBeInstanceOf(ExpressionError)
      }
      const { user, system } = process.cpuUsage(cpu)
      expect((user + system) / 1000).toBeLessThan(maxCpuMs)
      expect(process.memoryUsage().heapUsed - heap).toBeLessThan(maxHeapBytes)
    }),
    {
      numRuns: Number(process.env.FUZZ_RUNS ?? 500),
      ...(process.env.FUZZ_SEED && { seed: Number(process.env.FUZZ_SEED) }),
    },
  )
})
