import { expect, it } from 'vitest'
import { reasonText } from './reason-text.ts'

it('names the searches that found a passage, and how well', () => {
  const words = { rank: 1, score: 7.2, coverage: 0.824 }
  const meaning = { rank: 3, similarity: 0.61 }
  expect([{ words }, { meaning }, { words, meaning }, {}].map(reasonText)).toEqual([
    'Found by words: no. 1, 82% of the question',
    'Found by meaning: no. 3, 61% similar',
    'Found by words: no. 1, 82% of the question · meaning: no. 3, 61% similar',
    'Next to a passage that matches',
  ])
})
