import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileExpression, ExpressionError, ExpressionSyntaxError, readPaths, toJson } from '../src/index.ts'
import { Budget } from '../src/limits/budget.ts'

const evaluate = (text: string, payload: unknown = {}) =>
  compileExpression(text, ['payload', 'event']).evaluate([payload, {}])
const limit = expect.objectContaining({ name: 'ExpressionError', kind: 'LimitExceeded' })

describe('what an expression may say (A41)', () => {
  it.each([
    ['().__class__', 'Fields are read with brackets'],
    ['payload.__class__.__base__', 'Fields are read with brackets'],
    ['payload.amount', 'Fields are read with brackets'],
    ['payload.mro()', 'no method called mro'],
    ['__import__("os")', 'no function called __import__'],
    ['eval("1")', 'no function called eval'],
    ['open("/etc/passwd")', 'no function called open'],
    ['import os', 'no statements'],
    ['x = 1', 'no statements'],
    ['while True: pass', 'no statements'],
    ['lambda: 1', 'lambda is not allowed'],
    ['(y := 3)', 'cannot be assigned'],
    ['await payload', 'await is not allowed'],
    ['[_ for _ in [1]]', 'plain names'],
    ['process', '"process" isn\'t known here. Use payload or event.'],
    ['constructor', '"constructor" isn\'t known here.'],
    ['payload["paid"] == true', '"true" isn\'t known here. Use True.'],
    ['payload.customer.name == 1', 'Fields are read with brackets: payload["customer"]["name"].'],
    ['payload if event', 'missing'],
    ['1 @ 2', 'operator @ is not allowed'],
    ['len(*payload)', 'Unpacking'],
    ['min(payload, key=payload)', 'no argument called key'],
    ['f"{1:{2}}"', 'allowed in an f-string'],
    ['f"{1!a}"', 'allowed in an f-string'],
    ['f"{1=}"', 'allowed in an f-string'],
    ['b"bytes"', 'bytes are not allowed'],
    ['3j', 'number is not allowed'],
    ['', 'empty'],
    ['# nothing', 'empty'],
    ['1; 2', 'no statements'],
    ['1\n2', 'Only one expression'],
    ['len()', 'does not take 0 arguments'],
  ])('refuses %s', (text, message) => {
    expect(() => compileExpression(text, ['payload', 'event'])).toThrowError(
      expect.objectContaining({ name: 'ExpressionSyntaxError', message: expect.stringContaining(message) }),
    )
  })

  it('says where it is wrong, by line and column', () => {
    const positionOf = (text: string) => {
      try {
        compileExpression(text, ['payload'])
      } catch (problem) {
        if (problem instanceof ExpressionSyntaxError) return [problem.line, problem.column]
      }
      return undefined
    }
    expect(positionOf('payload["a"] > nope')).toEqual([1, 16])
    expect(positionOf('(payload["a"]\n and  nope)')).toEqual([2, 7])
    expect(positionOf('1 +')).toEqual([1, 4])
  })

  it('refuses what is too long or nested too deeply, at once', () => {
    expect(() => compileExpression(`${'('.repeat(1e5)}1${')'.repeat(1e5)}`, [])).toThrowError(/at most 2200/)
    expect(() => compileExpression(`${'('.repeat(900)}1${')'.repeat(900)}`, [])).toThrowError(/too deeply/)
    expect(() => compileExpression(`${'not '.repeat(400)}1`, [])).toThrowError(/too deeply/)
  })

  it('takes long chains, which are not deep', () => {
    expect(evaluate(Array.from({ length: 400 }, () => '1').join(' + '))).toBe(400)
    expect(evaluate(Array.from({ length: 300 }, () => '1').join(' and '))).toBe(1)
  })
})

describe('a field that is not there', () => {
  const messageOf = (key: string) => {
    try {
      evaluate(`payload["${key}"]`, { total: 1, customer_id: 2, ab: 3 })
    } catch (problem) {
      if (problem instanceof ExpressionError) return problem.message
    }
    return undefined
  }

  it.each([
    ['totl', "KeyError: 'totl'. Did you mean 'total'?"],
    ['Total', "KeyError: 'Total'. Did you mean 'total'?"],
    ['customerId', "KeyError: 'customerId'. Did you mean 'customer_id'?"],
    ['cb', "KeyError: 'cb'"],
    ['amount', "KeyError: 'amount'"],
    ['x'.repeat(500), `KeyError: '${'x'.repeat(500)}'`],
  ])('suggests the one that was probably meant by %s', (key, message) => expect(messageOf(key)).toBe(message))
})

describe('what an evaluation may cost (A41)', () => {
  const many = {
    list: Array.from({ length: 50_000 }, (_, index) => index),
    text: 'x'.repeat(200_000),
    half: 'x'.repeat(30_000),
    wide: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, index])),
    nested: [[[[[['x'.repeat(60_000)]]]]]],
    same: [[[[[['x'.repeat(60_000)]]]]]],
  }

  it.each([
    '9**9**9',
    '"a" * 10**9',
    '[0] * 10**9',
    '10**10**8',
    '2 ** (2 ** 40)',
    '(2 ** 4000) * (2 ** 4000)',
    'range(10**9)',
    '[x for x in payload["list"]]',
    '-1 in payload["list"]',
    'sum(1 for a in range(200) for b in range(200))',
    'sorted(payload["list"])',
    'payload["text"] + payload["text"]',
    'payload["text"].replace("x", "yy")',
    '", ".join(payload["text"])',
    'str(payload["list"])',
    'payload["list"] == payload["list"][:]',
    '"".join("abcdefgh" for a in range(9000))',
    '[[y for y in range(100)] for x in range(200)]',
    '"%99999999s" % 1',
    '"{:99999999}".format(1)',
    'f"{1:99999999}"',
    '"{:.99999f}".format(1.0)',
    '1 << 10**9',
    '[payload["text"].title() for x in range(3)]',
    '[payload["list"][:] for x in range(3)]',
    '[len(payload["wide"]) for x in range(100)]',
    '[payload["wide"].items() for x in range(3)]',
    '[(payload["text"],) in {1: 2} for x in range(10)]',
    '[payload["nested"] == payload["same"] for x in range(100)]',
    '[payload["text"].upper() for x in range(10)]',
    '[payload["text"][1:] for x in range(10)]',
    '[payload["text"] < payload["text"] + "a" for x in range(10)]',
    '["x".join([payload["half"], payload["half"]]) for x in range(100)]',
    '[payload["text"].count("x") for x in range(10)]',
    '["abcdefghij" in payload["text"] for x in range(100)]',
    `[${'1 + '.repeat(400)}1 for x in range(9000)]`,
  ])('ends %s', (text) => expect(() => evaluate(text, many)).toThrowError(limit))

  it.each([
    ['[] * 10**400', 'OverflowError'],
    ['"" * 10**400', 'OverflowError'],
    ['() * -10**400', 'OverflowError'],
  ])('does not lose count with %s', (text, kind) => {
    expect(() => evaluate(text)).toThrowError(expect.objectContaining({ kind }))
    expect(() => evaluate(`[${text} for x in [1]] or [x for x in range(9999) for y in range(9999)]`)).toThrow()
  })

  it('counts a range of huge bounds, and rounds to a huge number of digits', () => {
    expect(evaluate('len(range(10**400, 10**400))')).toBe(0)
    expect(evaluate('len(range(10**400, 10**400 + 3))')).toBe(3)
    expect(evaluate('list(range(10**20, 10**20 + 2))[1] == 10**20 + 1')).toBe(true)
    expect(() =>
      evaluate('[y for x in [range(10**400, 10**400)] for y in range(9999) for z in range(9999)]'),
    ).toThrowError(limit)
    expect(toJson(evaluate('round(1.5, -2000000000)'))).toBe(0)
    expect(toJson(evaluate('round(15, -2000000000)'))).toBe(0)
    expect(toJson(evaluate('round(1.5, 2000000000)'))).toBe(1.5)
  })

  it('hashes nested tuples in linear time', () => {
    const nested = `${'('.repeat(40)}"a"${',)'.repeat(40)}`
    expect(evaluate(`{${nested}: 1}[${nested}]`)).toBe(1)
    expect(evaluate('{("a", "b"): 1}.get(("a,b",))')).toBeNull()
    expect(evaluate('{(("a",), "b"): 1}.get(("a", ("b",)))')).toBeNull()
  })

  it('refuses to spend anything but a whole number of steps', () => {
    for (const steps of [Number.NaN, Infinity, -1, 0.5]) expect(() => new Budget().spend(steps)).toThrowError(limit)
    for (const size of [Number.NaN, Infinity, -1]) {
      expect(() => new Budget().allowElements(size)).toThrowError(limit)
      expect(() => new Budget().buildText(size)).toThrowError(limit)
    }
  })

  it('lets through what is large in the payload and only looked at', () => {
    expect(evaluate('len(payload["text"]) + len(payload["list"])', many)).toBe(250_000)
    expect(evaluate('"y" in payload["text"]', many)).toBe(false)
  })

  it('answers every text with a value or an error of its own', () => {
    const piece = fc.constantFrom(
      ...'payload event [ ] ( ) { } : , . " \' + - * / % ** < == in not is and or if else for x 1 0.5 "a" len( get( \\ \n # f"{ None True lambda'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), fc.jsonValue(), (pieces, payload) => {
        try {
          evaluate(pieces.join(' '), payload)
        } catch (problem) {
          expect(problem instanceof ExpressionSyntaxError || problem instanceof ExpressionError).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('values', () => {
  it('cannot reach what objects inherit', () => {
    for (const key of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(evaluate(`payload.get("${key}")`)).toBeNull()
      expect(evaluate(`"${key}" in payload`)).toBe(false)
    }
  })

  it('come back as JSON: tuples, sets and views as lists, floats as numbers', () => {
    const value = evaluate('{"t": (1, 2.0), "s": {3}, "k": {"a": 1}.keys(), 1: None, "n": 4 / 2}')
    expect(toJson(value)).toEqual({ t: [1, 2], s: [3], k: ['a'], '1': null, n: 2 })
    expect(() => toJson(evaluate('float("inf")'))).toThrowError(/JSON/)
  })

  it('are what the last operand of and and or was, and hold or not as Python says', () => {
    const holds = (text: string) => compileExpression(text, []).test([])
    expect([holds('[] or {}'), holds('"" or "x"'), holds('[0]'), holds('0.0')]).toEqual([false, true, true, false])
  })
})

it.each([
  ['payload["n"] > 1', []],
  ['state["fetch"]["id"] == payload["id"]', [['fetch', 'id']]],
  ['state.get("fetch", {}).get("id") in [state]', [['fetch', 'id'], []]],
  ['any(one == state[\'a\\x62\'] for one in payload["list"])', [['ab']]],
  ['f"{state["who"]!r}" "state"', [['who']]],
  ['state["list"][0]["id"] and state["list"][1:]', [['list'], ['list']]],
  ['state[payload["key"]] or state[f"x"] or state["a" "b"]', [[], [], []]],
  ['state["a"].keys() or len(state["b"]) or (state)["c"]', [['a'], ['b'], []]],
])('of %s it is known what may be read', (text, expected) => {
  expect(readPaths(text, 'state')).toEqual(expected)
})
