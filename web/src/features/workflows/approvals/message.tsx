/** What a run has to say for its question: paragraphs as they were written, or a value where it wrote one. */
import { JsonView } from '#ui/json-view.tsx'
import { readMessage } from './read-message.ts'

export function Message({ text }: { text: string }) {
  const message = readMessage(text)
  if (message.kind === 'value') return <JsonView label="Message" value={message.value} />
  return (
    <div className="flex max-w-prose flex-col gap-3 text-md leading-7">
      {message.paragraphs.map((paragraph, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of one text never change places
        <p key={place} className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {paragraph}
        </p>
      ))}
    </div>
  )
}
