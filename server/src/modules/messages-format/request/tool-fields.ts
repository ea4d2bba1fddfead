/** `tools` and `tool_choice` in the format of the chat-completion API. */
import type { MessagesBody } from '@chancery/contract/chats/messages-format.ts'

type ToolFields = Pick<MessagesBody, 'tools' | 'tool_choice'>

export const toolFields = ({ tools = [], tool_choice: choice }: ToolFields): Record<string, unknown> => {
  if (tools.length === 0) return {}
  return {
    tools: tools.map(({ name, description, input_schema: parameters, strict }) => ({
      type: 'function',
      function: {
        name,
        ...(description === undefined ? {} : { description }),
        parameters,
        ...(typeof strict === 'boolean' ? { strict } : {}),
      },
    })),
    ...(choice ? { tool_choice: choiceOf(choice) } : {}),
    ...(choice && choice.type !== 'none' && choice.disable_parallel_tool_use ? { parallel_tool_calls: false } : {}),
  }
}

const choiceOf = (choice: NonNullable<ToolFields['tool_choice']>): unknown => {
  switch (choice.type) {
    case 'auto':
      return 'auto'
    case 'any':
      return 'required'
    case 'none':
      return 'none'
    case 'tool':
      return { type: 'function', function: { name: choice.name } }
  }
}
