/** Edits a message. A question becomes a new version next to the old one; a reply is changed in place. */
import { type KeyboardEvent, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { GrowingText } from '../composer/growing-text.tsx'

interface EditFormProps {
  content: string
  kind: 'question' | 'reply'
  onSave: (content: string) => void
  onCancel: () => void
}

const words = {
  question: { label: 'Edit your message', hint: 'The previous version is kept.', action: 'Send' },
  reply: { label: 'Edit the reply', hint: 'The model sees the changed reply from now on.', action: 'Save' },
}

/** Replies have paragraphs, so that Enter alone doesn't save one. */
const saves = ({ key, shiftKey, ctrlKey, metaKey, nativeEvent }: KeyboardEvent, kind: EditFormProps['kind']) =>
  key === 'Enter' && !nativeEvent.isComposing && (kind === 'question' ? !shiftKey : ctrlKey || metaKey)

export function EditForm({ content, kind, onSave, onCancel }: EditFormProps) {
  const [text, setText] = useState(content)
  const { label, hint, action } = words[kind]
  const save = () => {
    if (text.trim() !== '') onSave(text)
  }
  return (
    <div className="w-full rounded-panel border bg-surface p-3 focus-within:border-ink focus-within:ring-2 focus-within:ring-ink/15">
      <GrowingText
        label={label}
        value={text}
        isFocused
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
          if (!saves(event, kind)) return
          event.preventDefault()
          save()
        }}
      />
      <div className="mt-2 flex items-center justify-end gap-2">
        <p className="mr-auto text-faint text-xs max-sm:hidden">{hint}</p>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="small" look="primary" onClick={save}>
          {action}
        </Button>
      </div>
    </div>
  )
}
