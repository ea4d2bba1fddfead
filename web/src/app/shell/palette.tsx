/** The command palette: type, choose with the arrow keys, press Enter. */
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useEffect, useId, useRef, useState } from 'react'
import { useListKeys } from '#lib/keyboard/use-list-keys.ts'
import { useOfferedActions } from '#ui/actions/offered-actions.ts'
import { Kbd } from '#ui/button/kbd.tsx'
import type { Command } from './commands.ts'
import { matchCommands } from './match-commands.ts'
import { useChatCommands } from './use-chat-commands.ts'
import { useDocumentCommands } from './use-document-commands.ts'
import { useKnowledgeCommands } from './use-knowledge-commands.ts'
import { usePeopleCommands } from './use-people-commands.ts'
import { useWorkflowCommands } from './use-workflow-commands.ts'

interface PaletteProps {
  commands: readonly Command[]
  onClose: () => void
}

export function Palette({ commands, onClose }: PaletteProps) {
  const [text, setText] = useState('')
  const listId = useId()
  const selected = useOfferedActions().map((action): Command => ({ group: 'Selected rows', ...action }))
  const found = [
    ...matchCommands([...selected, ...commands], text),
    ...useChatCommands(text),
    ...useDocumentCommands(text),
    ...useWorkflowCommands(text),
    ...useKnowledgeCommands(text),
    ...usePeopleCommands(text),
  ]
  const run = (command: Command) => {
    onClose()
    command.run()
  }
  const { chosen, onKeyDown, restart } = useListKeys({ items: found, onTake: run })
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-[rgb(20_22_28/0.45)]" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-4 top-[10vh] z-50 mx-auto flex max-h-[70vh] max-w-xl animate-rise flex-col overflow-hidden rounded-panel bg-raised shadow-float"
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <label className="flex items-center gap-3 border-b px-4">
            <Search aria-hidden className="size-4 text-faint" />
            <span className="sr-only">Search commands</span>
            <input
              role="combobox"
              aria-expanded
              aria-controls={listId}
              aria-activedescendant={chosen && idOf(listId, chosen)}
              aria-autocomplete="list"
              placeholder="Search or jump to…"
              spellCheck={false}
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                restart()
              }}
              onKeyDown={onKeyDown}
              className="h-13 flex-1 bg-transparent text-md outline-none"
            />
            <Kbd keys="Escape" />
          </label>
          <Results id={listId} commands={found} chosen={chosen} onRun={run} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const idOf = (listId: string, { id, label }: Command) => `${listId}-${id ?? label.replace(/\W+/g, '-')}`

interface ResultsProps {
  id: string
  commands: readonly Command[]
  chosen: Command | undefined
  onRun: (command: Command) => void
}

function Results({ id, commands, chosen, onRun }: ResultsProps) {
  const groups = Map.groupBy(commands, (command) => command.group)
  return (
    <div id={id} role="listbox" aria-label="Commands" className="overflow-y-auto p-2">
      {commands.length === 0 && <p className="px-3 py-8 text-center text-faint">No results</p>}
      {[...groups].map(([group, members]) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options by role
        <div key={group} role="group" aria-label={group}>
          <p aria-hidden className="px-3 pt-3 pb-1 text-faint text-xs">
            {group}
          </p>
          {members.map((command) => (
            <Option
              key={command.id ?? command.label}
              id={idOf(id, command)}
              command={command}
              isChosen={command === chosen}
              onRun={onRun}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

interface OptionProps {
  id: string
  command: Command
  isChosen: boolean
  onRun: (command: Command) => void
}

function Option({ id, command, isChosen, onRun }: OptionProps) {
  const elementRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isChosen) elementRef.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const { icon: Icon, label, keys } = command
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the focus and handles the keys
    <div
      ref={elementRef}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={() => onRun(command)}
      className="relative flex h-10 cursor-pointer items-center gap-3 rounded-control px-3 hover:bg-sunken aria-selected:bg-sunken before:absolute before:inset-y-2.5 before:left-0 before:w-0.5 before:rounded-full aria-selected:before:bg-seal"
    >
      <Icon aria-hidden className="size-4 text-soft" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {keys !== undefined && (
        <span className="max-sm:hidden">
          <Kbd keys={keys} />
        </span>
      )}
    </div>
  )
}
