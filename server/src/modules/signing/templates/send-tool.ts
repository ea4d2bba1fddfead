/** `send_for_signature`: a model or a workflow sends a template to people, as the person it acts for. */
import { FieldValue, SigningLanguage } from '@chancery/contract/signing/signing.ts'
import { EmailAddress, line, PersonName } from '@chancery/contract/text.ts'
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { builtinSource, type ToolSource } from '#modules/tools/index.ts'
import type { SigningContext } from '../context.ts'
import { sendTemplate } from './send-template.ts'

const Arguments = z.strictObject({
  template_id: z.uuid().describe('The template to send.'),
  title: line(200).optional().describe("The document's title; the template's without it."),
  recipients: z
    .array(
      z.strictObject({
        role: z.string().max(120).describe("The name of one of the template's roles."),
        name: PersonName,
        email: EmailAddress,
        language: SigningLanguage.optional(),
      }),
    )
    .max(100)
    .describe('One person for every role of the template.'),
  values: z
    .record(z.string(), FieldValue)
    .optional()
    .describe('Values that are filled in from the start, by the labels of the fields.'),
  expires_in_days: z.number().int().min(1).max(365).optional(),
  correlation_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("What the document's events are correlated by; the document's ID without it."),
})
type Arguments = z.infer<typeof Arguments>

export const sendTool = (context: SigningContext): ToolSource =>
  builtinSource({
    id: 'builtin:signing',
    name: 'Send for signature',
    description: 'Sends a signing template to people by email.',
    isFor: (actor) => actor.kind === 'user',
    tools: [
      {
        name: 'send_for_signature',
        routes: ['/api/signing/templates'],
        approval: { sentence: 'Asks the person before a model sends a document for signature.' },
        description: 'Sends a signing template to people by email, and returns the ID of the document.',
        parameters: z.toJSONSchema(Arguments, { io: 'input' }),
        run: async (args, { actor }) => {
          const parsed = Arguments.safeParse(args)
          if (!parsed.success) {
            const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
            throw new AppError('tool_failed', { detail: problems.join(' ') })
          }
          return { content: JSON.stringify(await send(context, actor, parsed.data)) }
        },
      },
    ],
  })

const send = async (context: SigningContext, actor: Actor, args: Arguments) => {
  const { id, title } = await sendTemplate(context, actor, {
    templateId: args.template_id,
    title: args.title,
    recipients: args.recipients,
    values: args.values ?? {},
    expiresAt: args.expires_in_days
      ? new Date(context.kernel.clock.now().getTime() + args.expires_in_days * 86_400_000)
      : null,
    correlationId: args.correlation_id,
    agent: 'send_for_signature',
  })
  return { document_id: id, title, state: 'SENT' }
}
