/** The collections that an agent searches: found by name among those the viewer may read, stored by ID. */
import { useState } from 'react'
import { useCollectionChoices } from './choices.ts'
import { namesAt, useNodeConfig } from './config-context.ts'
import { ChipsRow } from './pick-rows.tsx'

export function KnowledgeRow() {
  const { config } = useNodeConfig()
  const [text, setText] = useState('')
  return (
    <ChipsRow
      name="knowledge"
      label="Knowledge"
      isOptional
      isClosed
      choices={useCollectionChoices(text, namesAt(config, 'knowledge'))}
      onText={setText}
      placeholder="Search collections by name"
      emptyHint="No other collection with that name."
      help="The agent gets the passages of these collections that fit its prompt."
    />
  )
}
