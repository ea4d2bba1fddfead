/** What the model says when it is asked to answer `SLOWLY`: a text in which anything lost or doubled can be seen. */
export const slowPieces = Array.from({ length: 15 }, (_, index) => `${index} `)
export const slowPieceMs = 200
