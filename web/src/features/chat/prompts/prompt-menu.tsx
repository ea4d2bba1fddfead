/** The prompts that match the typed command. */
import type { Prompt } from '@chancery/contract/prompts.ts'
import { cx } from '#ui/class-names.ts'

interface PromptMenuProps {
  id: string
  prompts: readonly Prompt[]
  chosen: Prompt | undefined
  onTake: (prompt: Prompt) => void
}

export const promptOptionId = (listId: string, promptId: string) => `${listId}-${promptId}`

export function PromptMenu({ id, prompts, chosen, onTake }: PromptMenuProps) {
  if (prompts.length === 0) return null
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Prompts"
      className="absolute inset-x-0 bottom-full z-30 mb-2 max-h-72 animate-rise overflow-y-auto rounded-panel bg-raised p-1 shadow-float"
    >
      {prompts.map((prompt) => (
        <button
          key={prompt.id}
          id={promptOptionId(id, prompt.id)}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={prompt === chosen}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(prompt)}
          className={cx(
            'flex w-full items-baseline gap-3 rounded-control px-2.5 py-1.5 text-left hover:bg-sunken',
            prompt === chosen && 'bg-sunken',
          )}
        >
          <span className="shrink-0 font-mono text-sm">/{prompt.command}</span>
          <span className="min-w-0 flex-1 truncate text-soft text-sm">{prompt.content}</span>
          {!prompt.is_own && <span className="shrink-0 text-faint text-xs">Shared</span>}
        </button>
      ))}
    </div>
  )
}
