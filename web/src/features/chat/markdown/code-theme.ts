/** Syntax colours as theme variables, so one theme works for light and dark. See markdown.css. */

const paint = (name: string, scope: string[]) => ({ scope, settings: { foreground: `var(--code-${name})` } })

/** Also the name under which the highlighter knows it. */
export const codeTheme = {
  name: 'chancery',
  type: 'light' as const,
  fg: 'var(--ink)',
  bg: 'transparent',
  settings: [
    { settings: { foreground: 'var(--ink)' } },
    paint('comment', ['comment', 'punctuation.definition.comment', 'string.comment']),
    paint('keyword', ['keyword', 'storage', 'keyword.operator.new', 'variable.language', 'markup.heading']),
    paint('string', [
      'string',
      'string.quoted',
      'punctuation.definition.string',
      'markup.inline.raw',
      'markup.inserted',
    ]),
    paint('number', ['constant', 'constant.numeric', 'constant.language', 'support.constant', 'markup.list']),
    paint('function', ['entity.name.function', 'support.function', 'meta.function-call entity.name.function']),
    paint('type', ['entity.name.type', 'entity.name.class', 'support.type', 'support.class', 'entity.name.tag']),
    paint('name', [
      'entity.other.attribute-name',
      'variable.parameter',
      'support.type.property-name',
      'meta.object-literal.key',
    ]),
    paint('quiet', ['punctuation', 'keyword.operator', 'meta.brace']),
    paint('keyword', ['markup.deleted', 'invalid']),
  ],
}
