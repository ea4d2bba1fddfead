import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextBudget } from '#kernel/text-budget.ts'
import { fillTemplates, parseTemplate, renderTemplate, TemplateError } from './template.ts'

const budget = (most = 1_000_000) => createTextBudget(most, () => new Error('too long'))
const render = (text: string, values: unknown, most?: number) =>
  renderTemplate(parseTemplate(text), { values, budget: budget(most) })
const fill = (value: unknown, values: unknown, most?: number) => fillTemplates(value, { values, budget: budget(most) })
const values = {
  name: 'Ana',
  n: 7,
  list: [{ id: 'x' }],
  'odd-key': 1,
  _event: { payload: { 'first name': 'A' } },
  none: null,
}

describe('a template', () => {
  it('fills its holes with what their paths lead to', () => {
    expect(render('Dear {{ name }}, {{n}} of {{ list }}.', values)).toBe('Dear Ana, 7 of [{"id":"x"}].')
    expect(render('{{ list[0].id }}{{ odd-key }}{{ _event.payload["first name"] }}', values)).toBe('x1A')
    expect(render('[{{ none }}{{ missing.deep[3] }}]', values)).toBe('[]')
  })

  it('keeps the type of a value that it consists of alone', () => {
    expect(fill({ a: '{{ n }}', b: ['{{ list }}', '{{ n }}!'], c: 5, d: '{{ missing }}' }, values)).toEqual({
      a: 7,
      b: [[{ id: 'x' }], '7!'],
      c: 5,
      d: null,
    })
  })

  it('leads nowhere but to a value’s own fields', () => {
    for (const path of ['constructor', 'name.length', 'list.length', '__proto__', '_event.toString', 'n.constructor'])
      expect(render(`<{{ ${path} }}>`, values), path).toBe('<>')
  })

  it.each([
    '{{',
    'a {{ b',
    '{{ }}',
    '{{ a..b }}',
    '{{ .a }}',
    '{{ a. }}',
    '{{ a b }}',
    '{{ [0] }}',
    '{{ a[x] }}',
    '{{ a[0 }}',
    '{{ a() }}',
  ])('that reads %s is refused', (text) => {
    expect(() => parseTemplate(text)).toThrow(TemplateError)
  })

  it('is refused before it is built when it would be too long, however its parts are repeated', () => {
    const long = { text: 'x'.repeat(10_000), list: ['x'.repeat(10_000)], odd: '\u0001'.repeat(150) }
    expect(render('{{ text }}', long, 10_000)).toHaveLength(10_000)
    expect(render('{{ odd }}{{ odd }}', long, 300)).toHaveLength(300)
    for (const path of ['text', 'list']) {
      // A gigabyte, which no text can have.
      expect(() => render(`{{ ${path} }}`.repeat(100_000), long), path).toThrow('too long')
      expect(() => fill(Array(100_000).fill(`{{ ${path} }}`), long), path).toThrow('too long')
      expect(() => fill(Array(100).fill(`{{ ${path} }}.`), long, 500_000), path).toThrow('too long')
    }
    expect(() => render('{{ list }}', { list: [long.odd] }, 300), 'with what JSON escapes').toThrow('too long')
  })

  it('leaves texts without holes as they are, and fails in no other way than its own', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('{{')),
        (text) => {
          expect(render(text, values)).toBe(text)
        },
      ),
    )
    const anyText = fc
      .array(fc.constantFrom('{{', '}}', 'a', '.', '[', ']', '0', '"', ' '))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(anyText, (text) => {
        try {
          parseTemplate(text)
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateError)
        }
      }),
    )
  })
})
