-- What exactly is wrong with the rejected games?
SELECT file, line, fault, message
FROM rejects
ORDER BY file, line
