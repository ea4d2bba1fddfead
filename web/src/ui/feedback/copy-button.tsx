/** Copies a text and confirms it. */
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '#lib/browser/clipboard.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { toast } from './toast.ts'

interface CopyButtonProps {
  text: string
  label: string
  /** Shows the label as text, for the one thing on the page that must be copied. */
  isWorded?: boolean
}

export function CopyButton({ text, label, isWorded = false }: CopyButtonProps) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), 2000)
    return () => clearTimeout(timer)
  }, [isDone])

  const copy = async () => {
    const copied = await copyText(text)
    setDone(copied)
    if (copied) toast.done('Copied')
    else toast.failed(new Error('Couldn’t copy. Select the text and copy it manually.'))
  }
  const icon = isDone ? Check : Copy
  return isWorded ? (
    <Button look="primary" icon={icon} onClick={() => void copy()}>
      {label}
    </Button>
  ) : (
    <IconButton label={label} icon={icon} isTiny onClick={() => void copy()} />
  )
}
