package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class VectorSortsTest {

  @Test
  void theJdkHasFastVectorCodeForSomeProcessors() {
    String wide = "flags\t\t: fpu avx avx2 avx512f avx512dq";
    assertFalse(VectorSorts.areFast(List.of("vendor_id\t: GenuineIntel", wide)));
    assertTrue(VectorSorts.areFast(List.of("vendor_id : AuthenticAMD", "cpu family : 26", wide)));
    assertFalse(VectorSorts.areFast(List.of("vendor_id : AuthenticAMD", "cpu family : 25", wide)));
    assertFalse(VectorSorts.areFast(List.of("vendor_id : AuthenticAMD", "flags : fpu avx2")));
    assertFalse(VectorSorts.areFast(List.of("flags : fpu avx", "Features : asimd")));
  }
}
