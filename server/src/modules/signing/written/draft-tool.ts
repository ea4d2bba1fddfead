/** `draft_document`: a model writes a document for signature. It makes a draft and sends nothing. */

import { maxTextLength, TextVariables } from '@chancery/contract/signing/written.ts'
import { EmailAddress, line, PersonName } from '@chancery/contract/text.ts'
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { builtinSource, type ToolSource } from '#modules/tools/index.ts'
import type { SigningContext } from '../context.ts'
import { describeDocument } from '../documents/describe-document.ts'
import { requirePerson } from '../documents/require-sender.ts'
import { createFromText } from './create-from-text.ts'

const Arguments = z.strictObject({
  title: line(200).describe("The document's title."),
  markdown: z
    .string()
    .min(1)
    .max(maxTextLength)
    .describe(
      'The whole text, as Markdown. A field is written where it belongs: {{sig:role}}, {{initials:role}}, {{date:role}}, {{text:role:label}}, {{checkbox:role:label}}. Each role is a person who signs and needs one {{sig:role}}. {{name}} takes its value from `variables`. \\pagebreak on a line begins a page.',
    ),
  variables: TextVariables.optional().describe('Values for {{name}} in the text.'),
  recipients: z
    .array(z.strictObject({ role: z.string().min(1).max(120), name: PersonName, email: EmailAddress }))
    .max(100)
    .optional()
    .describe('Who signs for which role, as far as it is known.'),
})
type Arguments = z.infer<typeof Arguments>

export const draftTool = (context: SigningContext): ToolSource =>
  builtinSource({
    id: 'builtin:draft_document',
    name: 'Draft a document',
    description: 'Writes a document for signature as a draft. A person reads and sends it.',
    isFor: (actor) => actor.kind === 'user',
    tools: [
      {
        name: 'draft_document',
        routes: ['/api/signing/documents'],
        description:
          'Makes a draft of a document for signature from Markdown, and returns its ID and address. It sends nothing: a person reads the draft and sends it.',
        parameters: z.toJSONSchema(Arguments, { io: 'input' }),
        run: async (args, { actor }) => {
          const parsed = Arguments.safeParse(args)
          if (!parsed.success) {
            const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
            throw new AppError('tool_failed', { detail: problems.join(' ') })
          }
          return { content: JSON.stringify(await draft(context, actor, parsed.data)) }
        },
      },
    ],
  })

const draft = async (context: SigningContext, actor: Actor, args: Arguments) => {
  const { title, markdown, variables, recipients = [] } = args
  requirePerson(actor)
  await context.organizations.requireWritable(context.kernel.db, actor)
  const id = await createFromText(context, actor, {
    title,
    source: { markdown, variables, paper: 'A4' },
    from: { ip: '', userAgent: 'draft_document' },
    people: recipients,
  })
  const { state, recipients: made, fields } = await describeDocument(context, actor, { id })
  return {
    document_id: id,
    title,
    state,
    url: `${context.kernel.externalUrl}/documents/${id}`,
    recipients: made.map(({ name, email }) => ({ name, email: email === '' ? null : email })),
    fields: fields.length,
  }
}
