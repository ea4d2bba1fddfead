import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillTemplates, parseTemplate, renderTemplate, TemplateError } from './template.ts'

const render = (text: string, values: unknown) => renderTemplate(parseTemplate(text), values)
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
    expect(fillTemplates({ a: '{{ n }}', b: ['{{ list }}', '{{ n }}!'], c: 5, d: '{{ missing }}' }, values)).toEqual({
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
