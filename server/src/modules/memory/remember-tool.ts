/** `builtin:memory`: with it a model writes a fact down. The person sees it at once and can change or delete it. */
import { AppError } from '#kernel/errors.ts'
import type { BuiltinTool } from '#modules/tools/index.ts'
import { type MemoryContext, rememberForModel } from './remember.ts'

export const memoryToolId = 'builtin:memory'
export const memoriesRoute = '/api/v1/memories'

const maxLength = 1000

export const rememberTool = (context: MemoryContext): BuiltinTool => ({
  name: 'remember',
  routes: [memoriesRoute],
  approval: { sentence: 'Asks the person before a model writes down a fact about them.' },
  description:
    'Write down a lasting fact about the person you talk with, in one short sentence, such as a preference or their role. Only what will matter in later chats, never secrets or what others said about themselves.',
  parameters: {
    type: 'object',
    properties: { fact: { type: 'string', description: 'One sentence.' } },
    required: ['fact'],
  },
  run: async ({ fact }, { actor, emit }) => {
    const content = typeof fact === 'string' ? fact.trim() : ''
    if (content === '' || content.length > maxLength)
      throw new AppError('tool_failed', { detail: `A fact is text of 1 to ${maxLength} characters.` })
    if (actor.kind !== 'user') throw new AppError('tool_failed', { detail: 'Only people have a memory here.' })
    const said = await rememberForModel(context, actor, content)
    emit({
      type: 'status',
      data: { description: said === 'Remembered.' ? `Remembered: ${content}` : said, done: true },
    })
    return { content: said }
  },
})
