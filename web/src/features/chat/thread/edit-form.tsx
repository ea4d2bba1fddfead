/** Edits a user message. It becomes a new version next to the old one; nothing is lost. */
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { GrowingText } from '../composer/growing-text.tsx'

interface EditFormProps {
  content: string
  onSave: (content: string) => void
  onCancel: () => void
}

export function EditForm({ content, onSave, onCancel }: EditFormProps) {
  const [text, setText] = useState(content)
  const save = () => {
    if (text.trim() !== '') onSave(text)
  }
  return (
    <div className="w-full rounded-panel border bg-surface p-3 focus-within:border-ink focus-within:ring-2 focus-within:ring-ink/15">
      <GrowingText
        label="Edit your message"
        value={text}
        isFocused
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          save()
        }}
      />
      <div className="mt-2 flex items-center justify-end gap-2">
        <p className="mr-auto text-faint text-xs max-sm:hidden">The previous version is kept.</p>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="small" look="primary" onClick={save}>
          Send
        </Button>
      </div>
    </div>
  )
}
