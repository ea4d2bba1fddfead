/** Documents that are made from text: Markdown or HTML with `{{variables}}` and tags such as `{{sig:client}}`. */
import { z } from 'zod'
import { line } from '../text.ts'

export const maxTextLength = 200_000

const Text = z.string().max(maxTextLength, `must be at most ${maxTextLength} characters`)

export const TextVariables = z
  .record(z.string().max(80), z.union([z.string().max(5000), z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= 200, 'must be at most 200 variables')

const Source = z.strictObject({
  /** One of the two. */
  markdown: Text.optional(),
  html: Text.optional(),
  /** Values for `{{name}}`. They are text, whatever they look like. */
  variables: TextVariables.optional(),
  paper: z.enum(['A4', 'LETTER']).default('A4'),
})
const hasOneText = ({ markdown, html }: { markdown?: string | undefined; html?: string | undefined }) =>
  (markdown === undefined) !== (html === undefined)
const oneText = { path: ['markdown'], message: 'Send either markdown or html.' }

/** Pages as they would be: the reply is a PDF. */
export const TextPreviewBody = Source.omit({ markdown: true, html: true }).extend({
  text: Text,
  format: z.enum(['markdown', 'html']).default('markdown'),
})
export const TextDocumentBody = Source.extend({ title: line(200) }).refine(hasOneText, oneText)
export type TextDocumentBody = z.output<typeof TextDocumentBody>
export type TextSource = z.output<typeof Source>
