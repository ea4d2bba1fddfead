/** The tags of one chat: existing ones to check, and a new one to type. */
import type { ChatListItem } from '@chancery/contract/chats/chats.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Check } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { tagsQuery } from '../api.ts'
import { useSidebar } from '../state/sidebar-context.ts'

export function TagsDialog({ chat, onClose }: { chat: ChatListItem | undefined; onClose: () => void }) {
  return (
    <Dialog title="Tags" hint={chat && `For “${chat.title}”`} isOpen={chat !== undefined} onClose={onClose}>
      {chat && <TagsForm chat={chat} onClose={onClose} />}
    </Dialog>
  )
}

const longest = 60

function TagsForm({ chat, onClose }: { chat: ChatListItem; onClose: () => void }) {
  const { actions } = useSidebar()
  const { data: known = [] } = useQuery(tagsQuery)
  const [chosen, setChosen] = useState<readonly string[]>(chat.tags)
  const [typed, setTyped] = useState('')
  const names = [...new Set([...known.map(({ name }) => name), ...chat.tags, ...chosen])].sort()
  const toggle = (name: string) =>
    setChosen(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name])
  const fresh = typed.trim()
  const withFresh = fresh === '' || chosen.includes(fresh) ? chosen : [...chosen, fresh]
  const add = () => {
    setChosen(withFresh)
    setTyped('')
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    actions.tag(chat, [...withFresh])
    onClose()
  }
  return (
    <form onSubmit={save} className="flex flex-col gap-4">
      <div className="flex items-end gap-2">
        <Field label="New tag" name="tag" className="flex-1">
          <TextInput
            value={typed}
            maxLength={longest}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Button icon={Plus} className="h-10" disabled={fresh === ''} onClick={add}>
          Add
        </Button>
      </div>
      {names.length > 0 && (
        <ul aria-label="Tags" className="max-h-56 overflow-y-auto rounded-control border">
          {names.map((name) => (
            <li key={name} className="border-b last:border-b-0">
              <Check isOn={chosen.includes(name)} onChange={() => toggle(name)}>
                <span className="min-w-0 truncate">{name}</span>
              </Check>
            </li>
          ))}
        </ul>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary">
          Save tags
        </Button>
      </DialogActions>
    </form>
  )
}
