-- An export with a name in every kind of place: rows for tests/support/nsys-schema.sql.
INSERT INTO StringIds VALUES (1, 'saxpy'), (2, 'saxpy(float*)'), (3, 'work'), (4, 'cudaLaunchKernel_v7000'), (5, 'a domain'),
	(6, 'a thread'), (7, '_Z5saxpyPf');
INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'),
	(2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host');
INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'),
	(1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'), (2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device');
INSERT INTO TARGET_INFO_GPU (id, name, cuDevice) VALUES (0, 'Test GPU', 0);
INSERT INTO NVTX_EVENTS (start, "end", eventType, globalTid, text, domainId) VALUES (0, NULL, 75, 281476268556366, 'shop', 1);
INSERT INTO NVTX_EVENTS (start, "end", eventType, globalTid, textId, domainId) VALUES (0, 500, 59, 281476268556366, 3, 1);
INSERT INTO NVTX_EVENTS (start, "end", eventType, globalTid, text, domainId) VALUES (50, 350, 59, 281476268556366, 'inner', 0);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, "end", eventClass, globalTid, correlationId, nameId) VALUES
	(100, 110, 0, 281476268556366, 1, 4), (200, 210, 0, 281476268556366, 2, 4), (300, 310, 0, 281476268556366, 3, 4);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, "end", deviceId, streamId, correlationId, globalPid, bytes, copyKind, srcKind,
	dstKind) VALUES (2500, 4000, 0, 7, 3, 281476268556288, 8192, 2, 2, 1), (1000, 2000, 0, 7, 1, 281476268556288, 4096, 1, 0, 2);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, "end", deviceId, streamId, correlationId, globalPid, shortName, demangledName,
	mangledName) VALUES (2000, 3000, 0, 8, 2, 281476268556288, 1, 2, 7);
INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 1, 2, 'a warning', 5);
